import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/protocol/changes.js';
import { InProcessChangeBus } from '../../src/session/change-bus.js';
import { changeMessage } from '../../src/session/change-messages.js';
import { RecordingLogger } from './recording.js';

describe('InProcessChangeBus', () => {
  it('reaches every listener, also behind one that throws', () => {
    const logger = new RecordingLogger();
    const bus = new InProcessChangeBus(logger);
    const heard: Change[] = [];
    bus.subscribe(() => {
      throw new Error('broken');
    });
    bus.subscribe((change) => heard.push(change));
    bus.publish({ kind: 'tools' });
    expect(heard).toEqual([{ kind: 'tools' }]);
    expect(logger.errors).toHaveLength(1);
  });

  it('ends one subscription and no other', () => {
    const bus = new InProcessChangeBus(new RecordingLogger());
    let heard = 0;
    const listener = (): void => void (heard += 1);
    const first = bus.subscribe(listener);
    bus.subscribe(listener);
    first();
    first();
    bus.publish({ kind: 'prompts' });
    expect(heard).toBe(1);
  });

  it('publishes to nobody without complaint', () => {
    const logger = new RecordingLogger();
    new InProcessChangeBus(logger).publish({ kind: 'resource', uri: 'x:1' });
    expect(logger.errors).toEqual([]);
  });
});

describe('changeMessage', () => {
  it.each(['tools', 'prompts', 'resources'] as const)('tells that the %s changed', (kind) => {
    expect(JSON.parse(changeMessage({ kind }) ?? '')).toEqual({
      jsonrpc: '2.0',
      method: `notifications/${kind}/list_changed`,
    });
  });

  it('names the resource that changed, in well-formed Unicode', () => {
    const message = changeMessage({ kind: 'resource', uri: 'x:\ud800' });
    expect(JSON.parse(message ?? '')).toMatchObject({
      method: 'notifications/resources/updated',
      params: { uri: 'x:\ufffd' },
    });
  });

  it('leaves tasks to the protocol', () => {
    expect(changeMessage({ kind: 'task', id: 't' })).toBeUndefined();
  });
});
