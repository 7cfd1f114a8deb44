import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { headersOf, SESSION, VALID, type ValidMessage } from './valid-requests.js';

/** One request as it is sent. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  /** Flat, names and values alternating: a name may come twice. */
  readonly headers: readonly string[];
  readonly body: Buffer;
  /** Bytes that are announced and never sent; undefined: nothing is announced, the body comes in chunks. */
  readonly missing: number | undefined;
}

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...at, key]))];
}

/** A copy with the value at the path replaced, or left out. */
function changedAt(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const entries = Object.entries(value as object).map(([name, member]): [string, unknown] =>
    name === key ? [name, changedAt(member, rest, replacement)] : [name, member],
  );
  // Like JSON.parse: `__proto__` is a key like any other.
  return Object.fromEntries(entries.filter(([, member]) => member !== undefined));
}

function nested(depth: number): unknown {
  let value: unknown = 0;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const NAMES = ['__proto__', 'constructor', 'toString', 'method', 'id', '_meta', '$ref', ''];
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, 0.5, '', [], {}, '\u0000', '\ud800', undefined),
  fc.constantFrom(...NAMES),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.integer({ min: 1, max: 80 }).map(nested),
  fc.constantFrom(1_000, 100_000).map((length) => 'x'.repeat(length)),
  fc.constantFrom('2026-07-28', '2025-06-18', '2025-03-26', '1999-01-01', 'tools/call', 'join', 'library://'),
  fc.dictionary(fc.constantFrom(...NAMES), fc.jsonValue(), { maxKeys: 4 }),
);

/** Something is done to the value. */
const onValue: fc.Arbitrary<(message: unknown) => unknown> = fc.oneof(
  fc.tuple(fc.nat(), odd).map(([pick, replacement]) => (message: unknown) => {
    const paths = pathsOf(message);
    return changedAt(message, paths[pick % paths.length] ?? [], replacement);
  }),
  fc.tuple(fc.constantFrom(...NAMES), odd).map(([name, value]) => (message: unknown) => {
    // Parsed, so that `__proto__` becomes a key.
    const extra = JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value ?? null)}}`) as object;
    return { ...(message as object), ...extra };
  }),
  fc.integer({ min: 0, max: 3 }).map((count) => (message: unknown) => Array.from({ length: count }, () => message)),
);

/** Something is done to the bytes. */
const onBytes: fc.Arbitrary<(body: Buffer) => Buffer> = fc.oneof(
  fc.nat().map((at) => (body: Buffer) => body.subarray(0, at % (body.length + 1))),
  fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 8 })).map(([at, bytes]) => (body: Buffer) => {
    const cut = at % (body.length + 1);
    return Buffer.concat([body.subarray(0, cut), bytes, body.subarray(cut)]);
  }),
  fc.tuple(fc.nat(), fc.nat(255)).map(([at, byte]) => (body: Buffer) => {
    const copy = Buffer.from(body);
    if (copy.length > 0) copy[at % copy.length] = byte;
    return copy;
  }),
  fc.constantFrom(
    (body: Buffer) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body]),
    (body: Buffer) => Buffer.concat([body, body]),
    (body: Buffer) => Buffer.from(body.toString('latin1').replace('"id":', '"id":1,"id":'), 'latin1'),
    (body: Buffer) => Buffer.from(body.toString('latin1').replace(/"id":[^,]+/, '"id":9007199254740993'), 'latin1'),
    (body: Buffer) => Buffer.from(body.toString('utf8'), 'utf16le'),
  ),
);

const HEADER_NAMES = [
  'content-type',
  'accept',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
  'mcp-param-left',
  'last-event-id',
  'origin',
  'content-encoding',
  'x-caller',
  'authorization',
  'host',
];
const headerValue = fc.oneof(
  fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 60 }),
  fc.string({ unit: fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 8 }),
  fc.constantFrom(
    ...['', '*/*', 'text/html', 'text/event-stream', 'application/json', 'application/json;charset=latin1', 'gzip'],
    ...['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28', '2030-01-01', SESSION, 'tools/call', 'join'],
    ...['=?base64?am9pbg==?=', '=?base64?%%?=', 'http://evil.example', 'null', '000000000000-1', 'localhost'],
  ),
);

/** Something is done to the headers. */
const onHeaders: fc.Arbitrary<(headers: readonly string[]) => string[]> = fc.oneof(
  fc.constantFrom(...HEADER_NAMES).map((name) => (headers: readonly string[]) => without(headers, name)),
  fc
    .tuple(fc.constantFrom(...HEADER_NAMES), headerValue)
    .map(([name, value]) => (headers: readonly string[]) => [...without(headers, name), name, value]),
  fc
    .tuple(fc.constantFrom(...HEADER_NAMES), headerValue)
    .map(([name, value]) => (headers: readonly string[]) => [...headers, name, value]),
);

function without(headers: readonly string[], name: string): string[] {
  return headers.filter((_, index) => headers[index - (index % 2)] !== name);
}

const identity = <T>(value: T): T => value;
/** None, one or several of them, one after the other. */
function some<T>(mutation: fc.Arbitrary<(value: T) => T>, maxLength: number): fc.Arbitrary<(value: T) => T> {
  return fc
    .array(mutation, { maxLength })
    .map((all) => all.reduce<(value: T) => T>((before, next) => (value) => next(before(value)), identity));
}

const valid: fc.Arbitrary<ValidMessage> = fc.constantFrom(...VALID);
const text = (value: unknown): Buffer => Buffer.from(JSON.stringify(value) ?? '');

/** A valid request over HTTP to which something was done. */
export const hostileRequest: fc.Arbitrary<HostileRequest> = fc
  .tuple(
    valid,
    some(onValue, 2),
    fc.oneof({ weight: 2, arbitrary: fc.constant(identity<Buffer>) }, { weight: 1, arbitrary: some(onBytes, 2) }),
    some(onHeaders, 2),
    fc.oneof(
      { weight: 12, arbitrary: fc.constant('POST') },
      { weight: 1, arbitrary: fc.constantFrom('GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS') },
    ),
    fc.constantFrom('/mcp', '/mcp', '/mcp?query=1'),
    fc.oneof(
      { weight: 200, arbitrary: fc.constant(0) },
      { weight: 20, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constant(5) },
    ),
  )
  .map(([base, mutateValue, mutateBytes, mutateHeaders, method, path, missing]) => ({
    missing,
    method,
    path,
    headers: mutateHeaders(Object.entries(headersOf(base)).flat()),
    body: method === 'GET' || method === 'HEAD' ? Buffer.alloc(0) : mutateBytes(text(mutateValue(base.message))),
  }));

/** A valid message over a pipe to which something was done; what it has of line breaks makes it several. */
export const hostileLine: fc.Arbitrary<Buffer> = fc
  .tuple(valid, some(onValue, 2), fc.oneof(fc.constant(identity<Buffer>), some(onBytes, 2)))
  .map(([{ message }, mutateValue, mutateBytes]) => mutateBytes(text(mutateValue(message))));
