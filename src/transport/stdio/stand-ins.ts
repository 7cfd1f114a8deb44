import type { Call } from '../../protocol/call.js';

/** Where a message came from, as handlers and their guards see it. */
export type CallOrigin = Pick<Call, 'transport' | 'request' | 'response' | 'identity' | 'identityKey'>;

/** What handlers and their guards get as `request` where there is none. */
export const PIPE_REQUEST: unknown = Object.freeze({ headers: Object.freeze({}) });

function nothing(): never {
  throw new Error('There is no HTTP response here: return the result from the method');
}

function same(this: unknown): unknown {
  return this;
}

/** What they get as `response`: header setters do nothing, body writers throw. */
export const PIPE_RESPONSE: unknown = Object.freeze({
  headersSent: false,
  setHeader: same,
  appendHeader: same,
  removeHeader: same,
  header: same,
  set: same,
  append: same,
  status: same,
  code: same,
  type: same,
  getHeader: (): undefined => undefined,
  hasHeader: (): boolean => false,
  write: nothing,
  end: nothing,
  send: nothing,
  json: nothing,
  redirect: nothing,
});

/** What every message of a pipe has in common: one client, which nobody identified. */
export const PIPE_ORIGIN: CallOrigin = Object.freeze({
  transport: 'stdio',
  request: PIPE_REQUEST,
  response: PIPE_RESPONSE,
  identity: undefined,
  identityKey: undefined,
});
