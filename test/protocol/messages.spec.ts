import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJson } from '../../src/protocol/json/json-reader.js';
import { classify } from '../../src/protocol/messages.js';

function classifyText(text: string): ReturnType<typeof classify> {
  const reading = readJson(text);
  if (!reading.ok) throw new Error(reading.reason);
  return classify(reading.value, reading.inexactIds);
}

describe('requests', () => {
  it.each([1, 0, -7, '1', '007', '', 'a b/ü', 9007199254740991])('keep the id %j as it is', (id) => {
    expect(classify({ jsonrpc: '2.0', id, method: 'ping' })).toEqual({
      kind: 'request',
      id,
      method: 'ping',
      params: {},
    });
  });

  it('keep their params', () => {
    const params = { name: 'echo', _meta: { progressToken: 1 } };
    const message = classify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(message).toEqual({ kind: 'request', id: 1, method: 'tools/call', params });
  });

  it.each([null, true, false, {}, [], 1.5, 2 ** 53])('are refused without id when the id is %j', (id) => {
    const message = classify({ jsonrpc: '2.0', id, method: 'ping' });
    expect(message).toEqual({
      kind: 'failure',
      code: -32600,
      message: 'id must be a string or an integer',
      silent: false,
    });
  });

  it.each(['1.0', '1e3', '-0'])('are refused without id when the id is written %s', (id) => {
    expect(classifyText(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).not.toHaveProperty('id');
    expect(classifyText(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`)).toMatchObject({ code: -32600 });
  });

  it.each([undefined, '1.0', 2, null])('are refused under their id when jsonrpc is %j', (jsonrpc) => {
    expect(classify({ jsonrpc, id: 5, method: 'ping' })).toEqual({
      kind: 'failure',
      code: -32600,
      message: 'jsonrpc must be "2.0"',
      id: 5,
      silent: false,
    });
  });

  it.each([null, 5, {}, ['ping']])('are refused under their id when the method is %j', (method) => {
    expect(classify({ jsonrpc: '2.0', id: 'x', method })).toMatchObject({
      code: -32600,
      id: 'x',
      message: 'method must be a string',
    });
  });

  it.each([null, [], ['a'], 'x', 1, true])('are refused under their id when params is %j', (params) => {
    expect(classify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })).toEqual({
      kind: 'failure',
      code: -32602,
      message: 'params must be an object',
      id: 1,
      silent: false,
    });
  });

  it('are refused when _meta stands beside params, whether or not params has one', () => {
    for (const params of [undefined, { _meta: {} }]) {
      expect(classify({ jsonrpc: '2.0', id: 1, method: 'server/discover', _meta: {}, params })).toMatchObject({
        code: -32602,
        id: 1,
        message: '_meta belongs in params._meta',
      });
    }
  });
});

describe('notifications', () => {
  it('have a method and no id', () => {
    expect(classify({ jsonrpc: '2.0', method: 'notifications/initialized' })).toEqual({
      kind: 'notification',
      method: 'notifications/initialized',
      params: {},
    });
  });

  it('lose a _meta beside params', () => {
    expect(classify({ jsonrpc: '2.0', method: 'notifications/x', _meta: { a: 1 }, params: { b: 2 } })).toEqual({
      kind: 'notification',
      method: 'notifications/x',
      params: { b: 2 },
    });
  });

  it('are silent failures when broken', () => {
    expect(classify({ jsonrpc: '2.0', method: 'notifications/x', params: [] })).toMatchObject({
      code: -32602,
      silent: true,
    });
    expect(classify({ method: 'notifications/x' })).toMatchObject({ code: -32600, silent: true });
  });
});

describe('responses', () => {
  it.each([{}, null, 0, [1]])('carry the result %j', (result) => {
    expect(classify({ jsonrpc: '2.0', id: 3, result })).toEqual({ kind: 'response', id: 3, result });
  });

  it('carry an error', () => {
    const error = { code: -1, message: 'User rejected', data: { why: 'no' } };
    expect(classify({ jsonrpc: '2.0', id: 'q-1', error })).toEqual({ kind: 'response', id: 'q-1', error });
    expect(classify({ jsonrpc: '2.0', id: 'q-1', error: { code: -1, message: '' } })).toEqual({
      kind: 'response',
      id: 'q-1',
      error: { code: -1, message: '' },
    });
  });

  it.each([
    { id: 1, result: {}, error: { code: 1, message: 'x' } },
    { id: 1, error: { code: 1.5, message: 'x' } },
    { id: 1, error: { code: 1 } },
    { id: 1, error: null },
    { id: null, error: { code: -32700, message: 'Parse error' } },
    { result: {} },
  ])('are silent failures without id when broken: %j', (value) => {
    const failure = classify({ jsonrpc: '2.0', ...value });
    expect(failure).toMatchObject({ kind: 'failure', code: -32600, silent: true });
    expect(failure).not.toHaveProperty('id');
  });
});

describe('anything else', () => {
  it.each([
    [[], 'an array'],
    ['x', 'a string'],
    [42, 'a number'],
    [null, 'null'],
    [true, 'a boolean'],
  ])('is named: %j is %s', (value, name) => {
    expect(classify(value)).toEqual({
      kind: 'failure',
      code: -32600,
      message: `Expected a JSON object, got ${name}`,
      silent: false,
    });
  });

  it('is an invalid request, under its id when it has one', () => {
    expect(classify({ hello: 'world' })).toMatchObject({ code: -32600 });
    expect(classify({})).not.toHaveProperty('id');
    expect(classify({ jsonrpc: '2.0', id: 8 })).toMatchObject({ code: -32600, id: 8 });
  });

  it('never throws, and never echoes an id that is no id', () => {
    const member = fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('2.0', 'ping', undefined));
    const message = fc.record(
      { jsonrpc: member, id: member, method: member, params: member, result: member, error: member, _meta: member },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(message, fc.jsonValue()), (value) => {
        const found = classify(value);
        if (found.kind === 'failure') {
          expect([-32600, -32602]).toContain(found.code);
          if (found.id !== undefined) expect(found.id).toBe((value as { id: unknown }).id);
        }
        if ('id' in found) expect(typeof found.id === 'string' || Number.isSafeInteger(found.id)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });
});
