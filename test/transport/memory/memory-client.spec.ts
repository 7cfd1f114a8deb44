import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { Call, ProtocolServer } from '../../../src/protocol/call.js';
import type { McpContext } from '../../../src/protocol/context.js';
import { McpError } from '../../../src/protocol/errors.js';
import { REVISIONS, type Revision, type RevisionName } from '../../../src/protocol/revisions.js';
import { MemoryClient, type MemoryClientOptions } from '../../../src/transport/memory/memory-client.js';
import { coreOf, revisionOf, tool } from '../../protocol/core-fixture.js';
import { RecordingLogger } from '../../session/recording.js';

const origin = () => ({
  transport: 'memory' as const,
  request: { headers: {} },
  response: {},
  identity: { sub: 'alice' },
  identityKey: 'alice',
});

async function open(
  server: ProtocolServer,
  revision: Revision,
  more: Partial<MemoryClientOptions> = {},
): Promise<MemoryClient> {
  const { client } = await MemoryClient.open({ server, revision, logger: new RecordingLogger(), origin, ...more });
  return client;
}

const textOf = (result: unknown): unknown => (result as { content: { text: string }[] }).content[0]?.text;
const call = (name: string, args: object = {}) => ({ name, arguments: args });

describe.each(REVISIONS.map(({ name }) => name))('a client in memory (%s)', (name: RevisionName) => {
  const revision = revisionOf(name);

  it('calls a tool as somebody', async () => {
    const { core } = coreOf([tool('who', (args, { identityKey }) => `${identityKey}: ${JSON.stringify(args)}`)]);
    const client = await open(core, revision);
    const result = await client.request('tools/call', call('who', { a: [1, { b: 'ü' }] }));
    expect(textOf(result)).toBe('alice: {"a":[1,{"b":"ü"}]}');
  });

  it('hands over JSON text: nothing of the caller is shared with the handler', async () => {
    let seen: unknown;
    const { core } = coreOf([tool('keep', (args) => void (seen = args))]);
    const client = await open(core, revision);
    const args = { list: [1], gone: undefined };
    await client.request('tools/call', call('keep', args));
    expect(seen).toEqual({ list: [1] });
    args.list.push(2);
    expect(seen).toEqual({ list: [1] });
  });

  it('rejects with the error of the answer', async () => {
    const { core } = coreOf([]);
    const client = await open(core, revision);
    const answer = client.request('tools/call', call('nobody'));
    await expect(answer).rejects.toBeInstanceOf(McpError);
    await expect(answer).rejects.toMatchObject({ code: -32602, data: { name: 'nobody' } });
  });

  it('keeps what is said during a call', async () => {
    const { core } = coreOf([
      tool('steps', (_args, context) => {
        context.progress(1, 2);
        context.progress(2, 2);
        return 'done';
      }),
    ]);
    const client = await open(core, revision);
    await client.request('tools/call', { ...call('steps'), _meta: { progressToken: 'p' } });
    expect(client.notifications.map(({ params }) => params['progress'])).toEqual([1, 2]);
  });

  it('cancels the call when its signal is aborted', async () => {
    const events = new EventEmitter();
    const started = once(events, 'started');
    const aborted = once(events, 'aborted');
    const { core } = coreOf([
      tool('wait', (_args, { signal }: McpContext) => {
        signal.addEventListener('abort', () => events.emit('aborted', signal.reason));
        events.emit('started');
        return new Promise(() => undefined);
      }),
    ]);
    const client = await open(core, revision);
    const controller = new AbortController();
    const answer = client.request('tools/call', call('wait'), controller.signal);
    await started;
    controller.abort(new Error('enough'));
    await expect(answer).rejects.toThrow('enough');
    expect(await aborted).toEqual([expect.objectContaining({ name: 'CallCancelled' })]);
    await expect(client.request('tools/list', {}, controller.signal)).rejects.toThrow('enough');
  });

  it('rejects what is under way when it is closed, and whatever comes later', async () => {
    const { core } = coreOf([tool('wait', () => new Promise(() => undefined))]);
    const client = await open(core, revision);
    const answer = client.request('tools/call', call('wait'));
    client.close();
    client.close();
    await expect(answer).rejects.toThrow('closed');
    await expect(client.request('tools/list')).rejects.toThrow('closed');
  });

  it('answers the questions of a handler', async () => {
    const { core } = coreOf([
      tool('greet', async (_args, context) => {
        const [form, roots, sample] = await Promise.all([
          revision.elicitation === 'none'
            ? ({ action: 'accept', content: { name: 'Ada' } } as const)
            : context.elicit<{ name: string }>({ message: 'Who?', schema: {} }),
          context.roots(),
          context.sample({ messages: [], maxTokens: 5 }),
        ]);
        const more = await context.roots();
        return [form.action === 'accept' && form.content.name, roots[0]?.uri, sample.model, more.length].join(' ');
      }),
    ]);
    const asked: unknown[] = [];
    const client = await open(core, revision, {
      answers: {
        elicit: ({ message }) => {
          asked.push(message);
          return { action: 'accept', content: { name: 'Ada' } };
        },
        roots: () => {
          asked.push('roots');
          return [{ uri: 'file:///tmp' }];
        },
        sample: async () => ({ role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }),
      },
    });
    expect(textOf(await client.request('tools/call', call('greet')))).toBe('Ada file:///tmp m 1');
    expect(asked).toEqual([...(revision.elicitation === 'none' ? [] : ['Who?']), 'roots', 'roots']);
  });

  it('is not asked what it did not declare', async () => {
    const { core } = coreOf([tool('ask', (_args, context) => context.roots())]);
    const client = await open(core, revision);
    await expect(client.request('tools/call', call('ask'))).rejects.toThrow(/roots/);
  });

  it('has no answer where it declares more than it was given', async () => {
    const { core } = coreOf([tool('ask', (_args, context) => context.roots())]);
    const client = await open(core, revision, { capabilities: { roots: {} } });
    await expect(client.request('tools/call', call('ask'))).rejects.toThrow('no answer to roots/list');
  });

  it('hears of changes', async () => {
    const { core, bus } = coreOf([]);
    const client = await open(core, revision, { bus });
    const listening = new AbortController();
    if (revision.era === 'modern') {
      client
        .request('subscriptions/listen', { notifications: { toolsListChanged: true } }, listening.signal)
        .catch(() => undefined);
    }
    await new Promise((resolve) => setImmediate(resolve));
    bus.publish({ kind: 'tools' });
    expect(client.notifications.map(({ method }) => method)).toContain('notifications/tools/list_changed');
    listening.abort();
    client.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(bus.size).toBe(0);
  });
});

describe('a client in memory', () => {
  it('cannot speak a revision that is not served', async () => {
    const { core } = coreOf([], { revisions: [revisionOf('2026-07-28')] });
    await expect(open(core, revisionOf('2025-06-18'))).rejects.toThrow('does not serve revision 2025-06-18');
  });

  it('gives up on a handler that asks without end', async () => {
    let pass = 0;
    const { core } = coreOf([
      tool('ask', (_args, context) => context.elicit({ message: 'Again?', schema: {}, key: `k${(pass += 1)}` })),
    ]);
    const client = await open(core, revisionOf('2026-07-28'), { answers: { elicit: () => ({ action: 'cancel' }) } });
    await expect(client.request('tools/call', call('ask'))).rejects.toThrow('still asking');
  });

  it('tells a server of the handshake era when an answer fails', async () => {
    const { core } = coreOf([tool('ask', (_args, context) => context.roots())]);
    const roots = (): never => {
      throw new Error('no disk');
    };
    const legacy = await open(core, revisionOf('2025-11-25'), { answers: { roots } });
    await expect(legacy.request('tools/call', call('ask'))).rejects.toMatchObject({ code: -32603, message: 'Failed' });
    const modern = await open(core, revisionOf('2026-07-28'), { answers: { roots } });
    await expect(modern.request('tools/call', call('ask'))).rejects.toThrow('no disk');
  });

  it('does not wait for a server whose answer has no id', async () => {
    const { core } = coreOf([]);
    const mute: ProtocolServer = {
      revisions: core.revisions,
      parameterHeaders: [],
      handle: async (_message, _call: Call) => ({ status: 200, body: '{"jsonrpc":"2.0","error":{}}' }),
      notify: async () => undefined,
      mirrored: () => [],
    };
    await expect(open(mute, revisionOf('2026-07-28'))).rejects.toThrow('could not read');
  });
});
