import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { findRevision } from '../../src/protocol/revisions.js';
import { InMemorySessionStore } from '../../src/session/in-memory-session-store.js';
import { Sessions } from '../../src/session/sessions.js';
import { RecordingLogger } from './recording.js';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heap(): number {
  collect();
  collect();
  return process.memoryUsage().heapUsed;
}

describe('memory of sessions', () => {
  it('is below a kilobyte of heap for each of 10,000, and is given back', async () => {
    const revision = findRevision('2025-11-25');
    if (revision === undefined) throw new Error('no such revision');
    let now = 0;
    const store = new InMemorySessionStore({ now: () => now, idleMs: 1_000 });
    const sessions = new Sessions({ logger: new RecordingLogger(), store, now: () => now });
    const open = () =>
      sessions.open({
        identityKey: undefined,
        revision,
        clientInfo: { name: 'client', version: '1.0.0' },
        clientCapabilities: { elicitation: { form: {} }, sampling: {} },
      });
    await open();
    const before = heap();
    for (let n = 0; n < 9_999; n += 1) await open();
    const each = (heap() - before) / 9_999;
    expect(store.size).toBe(10_000);
    expect(each).toBeLessThan(1_024);
    now = 1_000;
    expect(await sessions.find('unknown', undefined)).toBeUndefined();
    await open();
    expect(store.size).toBe(1);
    expect(sessions.liveCount).toBe(1);
    expect(heap() - before).toBeLessThan(3_000_000);
    sessions.close();
  });
});
