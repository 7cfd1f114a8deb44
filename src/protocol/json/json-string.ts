const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Beyond this many characters the closing quote is searched natively. */
export const SHORT_STRING = 48;
/** Characters looked at one by one before a native search, and after an escape. */
const GLANCE = 8;
const GLANCE_AFTER_ESCAPE = 2;

/**
 * Where the JSON string ends that is open at `from` (a place that no escape straddles); -1 when it does not end.
 *
 * Where escapes stand side by side a loop is faster, everywhere else a native search: the two take turns.
 */
export function closingQuote(text: string, from: number): number {
  let at = from;
  for (;;) {
    let stop = at + GLANCE;
    while (at < stop) {
      const code = text.charCodeAt(at++);
      if (code === QUOTE) return at - 1;
      if (code === BACKSLASH) stop = ++at + GLANCE_AFTER_ESCAPE;
      else if (!(code >= 0x20)) return -1;
    }
    const quote = text.indexOf('"', at);
    if (quote < 0) return -1;
    let escapes = 0;
    while (quote - escapes > at && text.charCodeAt(quote - escapes - 1) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return quote;
    at = quote + 1;
  }
}

/** The value of the JSON string with content `text[start, end)`; undefined when it is malformed. */
export function parseString(text: string, start: number, end: number): string | undefined {
  try {
    return JSON.parse(text.slice(start - 1, end + 1)) as string;
  } catch {
    return undefined;
  }
}
