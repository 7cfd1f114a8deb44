import { describe, expect, it } from 'vitest';
import type { NewTask, TaskChange, TaskRecord } from '../../src/protocol/tasks/tasks.js';
import { InMemoryTaskStore, type InMemoryTaskStoreOptions } from '../../src/session/in-memory-task-store.js';
import { changedTask } from '../../src/session/task-change.js';

const task: NewTask = { identityKey: 'alice', revision: '2026-07-28' };
const question = { method: 'elicitation/create', params: { message: 'Sure?' } };

function storeAt(options: InMemoryTaskStoreOptions = {}) {
  const clock = { now: 1_000 };
  return { clock, store: new InMemoryTaskStore({ now: () => clock.now, ...options }) };
}

function created(store: InMemoryTaskStore, of: NewTask = task): TaskRecord {
  const made = store.create(of);
  if (made === undefined) throw new Error('the store is full');
  return made;
}

describe('InMemoryTaskStore', () => {
  it('starts a task as working, with an unguessable id', () => {
    const { store } = storeAt();
    const made = created(store, { ...task, pollIntervalMs: 500 });
    expect(made).toMatchObject({ status: 'working', createdAt: 1_000, ttlMs: 3_600_000, pollIntervalMs: 500 });
    expect(made.id).toMatch(/^[0-9a-f-]{36}$/);
    store.close();
  });

  it('shows a task to its owner alone', () => {
    const { store } = storeAt();
    const { id } = created(store);
    expect(store.get(id, 'alice')).toBeDefined();
    expect(store.get(id, 'bob')).toBeUndefined();
    expect(store.get(id, undefined)).toBeUndefined();
    expect(store.update(id, 'bob', { kind: 'cancel' })).toBeUndefined();
    expect(store.list('bob', { limit: 10 })).toEqual([]);
    store.close();
  });

  it('deletes a task after its ttl, which it may cut', () => {
    const { store, clock } = storeAt({ maxTtlMs: 100 });
    const made = created(store, { ...task, ttlMs: 1_000_000 });
    expect(made.ttlMs).toBe(100);
    clock.now += 99;
    expect(store.get(made.id, 'alice')).toBeDefined();
    clock.now += 1;
    expect(store.get(made.id, 'alice')).toBeUndefined();
    expect(store.size).toBe(0);
  });

  it('lists own tasks page by page', () => {
    const { store } = storeAt();
    const ids = [1, 2, 3].map(() => created(store).id);
    created(store, { ...task, identityKey: 'bob' });
    const first = store.list('alice', { limit: 2 });
    const second = store.list('alice', { limit: 2, after: first[1]?.id ?? '' });
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
    expect(store.list('alice', { limit: 2, after: 'gone' })).toEqual(first);
    store.close();
  });

  it('bounds the tasks of one caller and of all, and makes room when some expire', () => {
    const { store, clock } = storeAt({ maxPerCaller: 2, max: 3, ttlMs: 100 });
    created(store);
    created(store);
    expect(store.create(task)).toBeUndefined();
    created(store, { ...task, identityKey: 'bob' });
    expect(store.create({ ...task, identityKey: 'carol' })).toBeUndefined();
    clock.now += 100;
    expect(store.create(task)).toBeDefined();
    store.close();
  });

  it('lets the oldest finished tasks go when results take too much', () => {
    const { store } = storeAt({ maxChars: 100 });
    const ids = [1, 2, 3].map(() => created(store).id);
    const running = created(store).id;
    for (const id of ids) store.update(id, 'alice', { kind: 'complete', result: 'x'.repeat(45), isError: false });
    expect(ids.map((id) => store.get(id, 'alice')?.status)).toEqual([undefined, 'completed', 'completed']);
    expect(store.get(running, 'alice')?.status).toBe('working');
    store.close();
  });
});

describe('changes of a task', () => {
  const working = created(storeAt().store);
  const asking = changedTask(working, { kind: 'ask', questions: { a: question, b: question } }, 2_000);
  if (asking === undefined) throw new Error('a working task may ask');

  it('asks, takes some of the answers, and works on when it has all', () => {
    expect(asking).toMatchObject({ status: 'input_required', updatedAt: 2_000 });
    const some = changedTask(asking, { kind: 'answer', answers: { a: { action: 'accept' }, z: 1 } }, 3_000);
    expect(some).toMatchObject({ status: 'input_required', answers: { a: { action: 'accept' } } });
    expect(Object.keys(some?.questions ?? {})).toEqual(['b']);
    expect(some?.answers).not.toHaveProperty('z');
    const all = some && changedTask(some, { kind: 'answer', answers: { b: {}, a: { action: 'decline' } } }, 4_000);
    expect(all).toMatchObject({ status: 'working', questions: {}, answers: { a: { action: 'accept' }, b: {} } });
  });

  it('never asks a key again', () => {
    const answered = changedTask(asking, { kind: 'answer', answers: { a: {}, b: {} } }, 3_000) ?? working;
    expect(changedTask(asking, { kind: 'ask', questions: { a: question } }, 4_000)).toBeUndefined();
    expect(changedTask(answered, { kind: 'ask', questions: { a: question } }, 4_000)).toBeUndefined();
  });

  it('ignores answers to nothing', () => {
    expect(changedTask(working, { kind: 'answer', answers: { a: 1 } }, 5_000)).toBe(working);
  });

  it.each<[TaskChange, object]>([
    [
      { kind: 'complete', result: '{"content":[]}', isError: true },
      { status: 'completed', result: '{"content":[]}', isError: true },
    ],
    [
      { kind: 'fail', error: '{"code":-1,"message":"m"}', statusMessage: 'm' },
      { status: 'failed', error: '{"code":-1,"message":"m"}', statusMessage: 'm' },
    ],
    [{ kind: 'cancel' }, { status: 'cancelled' }],
  ])('ends by %j, keeps neither questions nor answers, and stays so', (change, expected) => {
    const answered = changedTask(asking, { kind: 'answer', answers: { a: { content: 'long' } } }, 5_000);
    const ended = answered && changedTask(answered, change, 6_000);
    expect(ended).toMatchObject(expected);
    expect(ended).toMatchObject({ questions: {}, answers: {} });
    expect(JSON.stringify(ended)).not.toContain('long');
    if (ended === undefined) throw new Error('refused');
    for (const later of [
      { kind: 'note', statusMessage: 'late' },
      { kind: 'complete', result: '{}', isError: false },
      { kind: 'cancel' },
      { kind: 'ask', questions: { c: question } },
    ] as const) {
      expect(changedTask(ended, later, 7_000)).toBeUndefined();
    }
  });

  it('drops the message of an earlier status when it ends without one', () => {
    const noted = changedTask(working, { kind: 'note', statusMessage: 'half way' }, 2_000);
    expect(noted?.statusMessage).toBe('half way');
    const ended = noted && changedTask(noted, { kind: 'complete', result: '{}', isError: false }, 3_000);
    expect(ended).not.toHaveProperty('statusMessage');
  });
});
