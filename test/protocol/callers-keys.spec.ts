import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { readJson } from '../../src/protocol/json/json-reader.js';
import { compileArguments } from '../../src/schema/compile-arguments.js';
import { callOf, coreOf, send, tool } from './core-fixture.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

it('names that callers make up leave nothing behind: 10,000 keys, tools, cursors and uris', async () => {
  const input = compileArguments({
    type: 'object',
    properties: { inner: { type: 'object', additionalProperties: { type: 'string' } } },
  });
  const calls: unknown[] = [];
  const fixture = coreOf([tool('open', (args) => void calls.splice(0, 1, args), { input })]);
  const { call } = callOf('2025-06-18');
  const answered = new Set<unknown>();
  const round = async (from: number, to: number): Promise<void> => {
    for (let number = from; number < to; number += 1) {
      const made = `made up ${number} ${'x'.repeat(200)}`;
      const reading = readJson(`{"inner":{${JSON.stringify(made)}:"v"},${JSON.stringify(`top ${made}`)}:1}`);
      if (!reading.ok) throw new Error('this is JSON');
      const answer = await send(fixture, { call }, 'tools/call', { name: 'open', arguments: reading.value });
      answered.add(JSON.stringify(answer.result));
      for (const [method, params] of [
        ['tools/call', { name: made }],
        ['tools/list', { cursor: made }],
        ['resources/read', { uri: `made-up:${made}` }],
        [made, {}],
      ] as const) {
        answered.add((await send(fixture, { call }, method, params)).error?.code);
      }
    }
  };
  await round(0, 500);
  const before = heap();
  await round(500, 10_500);
  // All of it would be more than 10 MB.
  expect(heap() - before).toBeLessThan(2_000_000);
  expect(answered).toEqual(new Set(['{"content":[],"isError":false}', -32602, -32002, -32601]));
  expect(calls).toEqual([{ inner: { [`made up 10499 ${'x'.repeat(200)}`]: 'v' } }]);
  expect(fixture.logged).toEqual([]);
}, 60_000);
