import { confirm, type McpModuleOptions } from 'nestjs-mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { modern, PLATFORMS, post, start, type Running } from '../nest-app.js';
import { libraryModule } from './app/app.module.js';
import { EventReader, firstText, openSession, type RawSession, type RpcMessage } from './raw-session.js';

const CAPABILITIES = { elicitation: {} };

function accept(name: string): object {
  return { action: 'accept', content: { name } };
}

describe.each(PLATFORMS)('answers to questions on %s', (platform) => {
  let running: Running | undefined;

  async function begin(options?: Partial<McpModuleOptions>): Promise<string> {
    running = await start(platform, libraryModule(options));
    return running.url();
  }

  afterEach(() => running?.app.close());

  /** A call that has asked, with its question. */
  async function asked(session: RawSession, timeoutMs = 20_000): Promise<[EventReader, RpcMessage]> {
    const stream = await session.stream('ask', { timeoutMs });
    const question = await stream.message();
    if (question?.method !== 'elicitation/create') throw new Error(`no question: ${JSON.stringify(question)}`);
    return [stream, question];
  }

  it('count only from the session that was asked', async () => {
    const url = await begin();
    const [ann, bob, again] = await Promise.all([
      openSession(url, { caller: 'ann', capabilities: CAPABILITIES }),
      openSession(url, { caller: 'bob', capabilities: CAPABILITIES }),
      openSession(url, { caller: 'ann', capabilities: CAPABILITIES }),
    ]);
    const [stream, { id }] = await asked(ann);
    // Another caller, another session of the same caller, and another caller who stole the session's id.
    const statuses = [];
    for (const thief of [bob, again, ann.as({ 'x-caller': 'bob' }), ann.without('x-caller')]) {
      statuses.push((await thief.send({ id, result: accept('Mallory') })).status);
    }
    expect(statuses).toEqual([202, 202, 404, 404]);
    expect((await ann.send({ id, result: accept('Ann') })).status).toBe(202);
    expect(firstText((await stream.message())?.result)).toBe('Ann');
  });

  it('to nothing that was asked are ignored', async () => {
    const session = await openSession(await begin(), { capabilities: CAPABILITIES });
    for (const id of ['never-asked', 1, 0]) {
      const response = await session.send({ id, result: accept('Mallory') });
      expect([response.status, await response.text()]).toEqual([202, '']);
    }
    const [stream, { id }] = await asked(session);
    await session.send({ id: 'never-asked', result: accept('Mallory') });
    await session.send({ id, result: accept('Ann') });
    // The second answer to one question is as late as any.
    expect((await session.send({ id, result: accept('Mallory') })).status).toBe(202);
    expect(firstText((await stream.message())?.result)).toBe('Ann');
  });

  it('that come too late are ignored, and the client is told that nobody waits', async () => {
    const session = await openSession(await begin(), { capabilities: CAPABILITIES });
    const [stream, { id }] = await asked(session, 30);
    expect(await stream.message()).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(firstText((await stream.message())?.result)).toBe('timeout');
    expect(await stream.next()).toBeUndefined();
    expect((await session.send({ id, result: accept('Ann') })).status).toBe(202);
    expect((await session.request('ping')).status).toBe(200);
  });

  it('may be errors, which are the outcome of the call', async () => {
    const session = await openSession(await begin(), { capabilities: CAPABILITIES });
    const [stream, { id }] = await asked(session);
    await session.send({ id, error: { code: -32603, message: 'the form is broken' } });
    expect(await stream.message()).toMatchObject({ id: 1, error: { code: -32603, message: 'the form is broken' } });
  });

  it('that do not fit the form are refused', async () => {
    const session = await openSession(await begin(), { capabilities: CAPABILITIES });
    const [stream, { id }] = await asked(session);
    await session.send({ id, result: { action: 'accept', content: { name: 7 } } });
    expect(await stream.message()).toMatchObject({ id: 1, error: { code: -32602 } });
  });

  it('are not looked for where nobody can be asked', async () => {
    const url = await begin();
    const mute = await openSession(url);
    const answer = (await (await mute.call('ask', { timeoutMs: 1_000 }, false)).json()) as RpcMessage;
    expect(answer).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('elicitation') as string },
    });
    const undeclared = await modern(url, 'tools/call', { name: 'ask', arguments: { timeoutMs: 1_000 } });
    expect([undeclared.status, await undeclared.json()]).toMatchObject([400, { error: { code: -32021 } }]);
  });

  it('of the modern era come with the call: a response alone is refused', async () => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 'x', result: accept('Ann') });
    const response = await post(await begin(), body, { 'mcp-protocol-version': '2026-07-28' });
    expect([response.status, await response.json()]).toMatchObject([400, { error: { code: -32600 } }]);
  });

  it('to a confirmation are waited for no longer than confirmTimeoutMs', async () => {
    const gate = (_context: unknown, tool: { name: string }): ReturnType<typeof confirm> =>
      confirm(`Run ${tool.name}?`, 'not confirmed');
    const session = await openSession(await begin({ gate, confirmTimeoutMs: 30 }), { capabilities: CAPABILITIES });
    const stream = await session.stream('join', { left: 'a', right: 'b' });
    const question = await stream.message();
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Run join?' } });
    expect(await stream.message()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: question?.id },
    });
    expect(firstText((await stream.message())?.result)).toBe('not confirmed');
    const confirmed = await session.stream('join', { left: 'a', right: 'b' });
    await session.send({ id: (await confirmed.message())?.id, result: { action: 'accept', content: {} } });
    expect(firstText((await confirmed.message())?.result)).toBe('ab');
  });
});
