import { describe, expect, it } from 'vitest';
import type { McpContext } from '../../src/protocol/context.js';
import { META } from '../../src/protocol/envelope.js';
import type { ServerIdentity } from '../../src/protocol/server-identity.js';
import { callOf, coreOf, revisionOf, send, tool } from './core-fixture.js';

const ALICES: ServerIdentity = { info: { name: 'for-alice', version: '1', title: 'A' }, instructions: 'Hello Alice' };
const OTHERS: ServerIdentity = { info: { name: 'for-all', version: '2' } };

const identify = ({ identity }: McpContext): ServerIdentity => (identity === 'alice' ? ALICES : OTHERS);
const INITIALIZE = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

describe('the identity of a server that depends on its caller', () => {
  it('is what initialize answers', async () => {
    const fixture = coreOf([], { identify });
    const alice = await send(fixture, callOf('2025-06-18', { identity: 'alice' }), 'initialize', INITIALIZE);
    expect(alice.result).toMatchObject({ serverInfo: ALICES.info, instructions: 'Hello Alice' });
    const other = await send(fixture, callOf('2025-06-18'), 'initialize', INITIALIZE);
    expect(other.result).toMatchObject({ serverInfo: OTHERS.info });
    expect(other.result).not.toHaveProperty('instructions');
  });

  it('is in every modern result, that of server/discover among them', async () => {
    const fixture = coreOf([tool('echo', () => 'x')], { identify });
    for (const method of ['server/discover', 'tools/list']) {
      const alice = await send(fixture, callOf('2026-07-28', { identity: 'alice' }), method);
      expect(alice.result?.['_meta']).toEqual({ [META.serverInfo]: ALICES.info });
      const other = await send(fixture, callOf('2026-07-28'), method);
      expect(other.result?.['_meta']).toEqual({ [META.serverInfo]: OTHERS.info });
    }
    const { result } = await send(fixture, callOf('2026-07-28', { identity: 'alice' }), 'server/discover');
    expect(result).toMatchObject({ instructions: 'Hello Alice' });
  });

  it('is written once for the same object', async () => {
    let reads = 0;
    const info = {
      version: '1',
      get name(): string {
        reads += 1;
        return 'counted';
      },
    };
    const counted: ServerIdentity = { info };
    const fixture = coreOf([tool('echo', () => 'x')], {
      identify: () => counted,
      revisions: [revisionOf('2026-07-28')],
    });
    const names: unknown[] = [];
    for (let n = 0; n < 3; n += 1) {
      const { result } = await send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'echo' });
      names.push(result?.['_meta']);
    }
    expect(names).toEqual(Array(3).fill({ [META.serverInfo]: { name: 'counted', version: '1' } }));
    expect(reads).toBe(1);
  });

  it('is asked for in no handshake-era answer but that of initialize', async () => {
    const fixture = coreOf([tool('echo', () => 'x')], {
      identify: () => {
        throw new Error('not to be asked');
      },
    });
    expect((await send(fixture, callOf('2025-06-18'), 'tools/call', { name: 'echo' })).error).toBeUndefined();
  });

  it('is an opaque failure when it cannot be told', async () => {
    const fixture = coreOf([tool('echo', () => 'x')], {
      identify: () => {
        throw new Error('secret');
      },
    });
    const { error } = await send(fixture, callOf('2026-07-28'), 'tools/call', { name: 'echo' });
    expect(error).toMatchObject({ code: -32603, message: 'Internal error' });
    expect(JSON.stringify(error)).not.toContain('secret');
    expect(fixture.logged.map(({ error: logged }) => (logged as Error).message)).toEqual(['secret']);
  });
});
