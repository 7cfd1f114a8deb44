/** What one HTTP answer was, as far as it was read. */
export interface HttpAnswer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** The statuses of the transport, and the answer to a preflight; 408 only where a body was left unfinished. */
const STATUSES = new Set([200, 202, 204, 400, 403, 404, 405, 406, 408, 411, 413, 415]);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Throws unless the value is one JSON-RPC message that a server may send. */
export function checkMessage(value: unknown): void {
  if (!isObject(value) || value['jsonrpc'] !== '2.0') throw new Error('a message is no JSON-RPC 2.0');
  const kinds = ['result', 'error', 'method'].filter((member) => Object.hasOwn(value, member));
  if (kinds.length !== 1) throw new Error(`a message has ${kinds.join(' and ') || 'no kind'}`);
  const { error, id } = value;
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id)) throw new Error('a message has no id');
  if (error === undefined) return;
  if (!isObject(error) || !Number.isSafeInteger(error['code']) || typeof error['message'] !== 'string') {
    throw new Error('an error is ill-formed');
  }
  if (/node_modules|\.js:\d+|^\s+at /m.test(error['message'])) throw new Error('an error shows a stack');
}

/** Throws unless the answer is one that the transport allows. */
export function checkAnswer({ status, type, text }: HttpAnswer): void {
  if (!STATUSES.has(status)) throw new Error(`status ${status}: ${text.slice(0, 200)}`);
  if (text === '') return;
  if (!text.isWellFormed()) throw new Error('the answer is no Unicode');
  if (type === 'text/event-stream') {
    // What follows the last empty line had not come yet.
    for (const block of text.split('\n\n').slice(0, -1)) checkEvent(block);
    return;
  }
  if (type !== 'application/json') throw new Error(`an answer of type ${type}`);
  const value: unknown = JSON.parse(text);
  if (Array.isArray(value)) value.forEach(checkMessage);
  else checkMessage(value);
}

function checkEvent(block: string): void {
  const lines = block.split('\n');
  const unknown = lines.find((line) => !/^(?:data|id|retry): |^:/.test(line));
  if (unknown !== undefined) throw new Error(`an event has a line that is none: ${unknown.slice(0, 80)}`);
  const data = lines.filter((line) => line.startsWith('data: ')).map((line) => line.slice(6));
  if (data.length > 0 && data.join('') !== '') checkMessage(JSON.parse(data.join('\n')));
}
