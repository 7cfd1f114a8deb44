import { describe, expect, it } from 'vitest';
import type { EventStore } from '../../src/session/event-store.js';
import { InMemoryEventStore } from '../../src/session/in-memory-event-store.js';
import { SessionStream } from '../../src/session/session-stream.js';
import { RecordingLogger, RecordingOutlet, turn } from './recording.js';

function streamIn(events: EventStore = new InMemoryEventStore()) {
  const finished: SessionStream[] = [];
  const logger = new RecordingLogger();
  const stream = new SessionStream('s', { events, logger }, (each) => finished.push(each));
  return { stream, finished, events, logger };
}

describe('SessionStream', () => {
  it('writes messages with rising ids that name it', () => {
    const { stream } = streamIn();
    const outlet = new RecordingOutlet();
    expect(stream.position).toBe(`${stream.id}-0`);
    stream.attach(outlet);
    stream.send('one');
    stream.send('two');
    expect(outlet.events).toEqual([
      { data: 'one', id: `${stream.id}-1` },
      { data: 'two', id: `${stream.id}-2` },
    ]);
  });

  it('goes on without a connection and keeps what was said', async () => {
    const { stream, events } = streamIn();
    const outlet = new RecordingOutlet();
    stream.attach(outlet);
    stream.send('seen');
    stream.detach(outlet);
    stream.send('missed');
    expect(outlet.texts).toEqual(['seen']);
    expect((await events.after('s', stream.id, 1))?.map(({ data }) => data)).toEqual(['missed']);
  });

  it('closes the connection before when another is attached, so that nothing travels twice', () => {
    const { stream } = streamIn();
    const [first, second] = [new RecordingOutlet(), new RecordingOutlet()];
    stream.attach(first);
    stream.attach(second);
    stream.send('one');
    expect(first).toMatchObject({ ended: true, events: [] });
    expect(second.texts).toEqual(['one']);
    // A late close of the first connection does not take the second away.
    stream.detach(first);
    expect(stream.attached).toBe(true);
  });

  it('says its last word, closes, and says nothing more', () => {
    const { stream, finished } = streamIn();
    const outlet = new RecordingOutlet();
    stream.attach(outlet);
    stream.finish('result');
    stream.finish('again');
    stream.send('later');
    expect(outlet.texts).toEqual(['result']);
    expect(outlet.ended).toBe(true);
    expect(finished).toEqual([stream]);
  });

  it('closes at once what is attached after the end', () => {
    const { stream } = streamIn();
    stream.finish();
    const late = new RecordingOutlet();
    stream.attach(late);
    expect(late.ended).toBe(true);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['rejects', () => Promise.reject(new Error('down'))],
  ])('delivers although the event store %s', async (_how, append) => {
    const { stream, logger } = streamIn({ append, after: () => undefined, drop: () => undefined });
    const outlet = new RecordingOutlet();
    stream.attach(outlet);
    stream.send('one');
    await turn();
    expect(outlet.texts).toEqual(['one']);
    expect(logger.errors).toHaveLength(1);
  });
});
