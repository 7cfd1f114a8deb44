/** What handlers and their guards get as `request` where there is none. */
export const PIPE_REQUEST: unknown = Object.freeze({ headers: Object.freeze({}) });

function nothing(): never {
  throw new Error('There is no HTTP response over stdio: return the result from the method');
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
