/** Which kinds of answer the client takes. */
export interface Accepted {
  readonly json: boolean;
  readonly events: boolean;
}

const BOTH: Accepted = { json: true, events: true };

/** How well a range fits a type: 3 exactly, 2 by its first half, 1 as a wildcard, 0 not at all. */
function fit(range: string, type: string): number {
  if (range === type) return 3;
  if (range === '*/*') return 1;
  return range.endsWith('/*') && type.startsWith(range.slice(0, -1)) ? 2 : 0;
}

function quality(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const match = /^\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*$/i.exec(parameter);
    if (match !== null) return Number(match[1]);
  }
  return 1;
}

/** Reads `Accept` (RFC 9110 section 12.5.1): the most specific range decides; absent or empty takes everything. */
export function acceptedTypes(header: string | undefined): Accepted {
  if (header === undefined || header === '*/*' || header.trim() === '') return BOTH;
  // What nearly every client sends.
  if (header === 'application/json, text/event-stream') return BOTH;
  const best = { json: { fit: 0, q: 0 }, events: { fit: 0, q: 0 } };
  for (const item of header.split(',')) {
    const [range = '', ...parameters] = item.split(';');
    const name = range.trim().toLowerCase();
    const q = quality(parameters);
    for (const [key, type] of [
      ['json', 'application/json'],
      ['events', 'text/event-stream'],
    ] as const) {
      const found = fit(name, type);
      if (found > best[key].fit) best[key] = { fit: found, q };
    }
  }
  return { json: best.json.q > 0, events: best.events.q > 0 };
}
