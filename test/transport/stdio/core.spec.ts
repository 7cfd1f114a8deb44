import { describe, expect, it } from 'vitest';
import { SealedState } from '../../../src/session/sealed-state.js';
import { coreOf, tool } from '../../protocol/core-fixture.js';
import { call, cancel, initialize, modern, pause, PipeClient, request } from './client.js';

const tools = [
  tool('echo', (args) => (args as { text: string }).text),
  tool('ask', async (_args, context) => {
    const answer = await context.elicit({ message: 'Who?', schema: {} });
    return answer.action === 'accept' ? `hello ${String(answer.content['name'])}` : answer.action;
  }),
  tool('wait', (_args, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', reject))),
];

/** Handshake with a client that can be asked. */
function opening(): object {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'c', version: '1' },
  };
  return request('init', 'initialize', params);
}

function asking(message: object): object {
  const dressed = modern(message) as { params: { _meta: Record<string, unknown> } };
  dressed.params._meta['io.modelcontextprotocol/clientCapabilities'] = { elicitation: {} };
  return dressed;
}

describe('the protocol over a pipe', () => {
  it('serves both eras side by side', async () => {
    const { core } = coreOf(tools);
    const client = new PipeClient({ server: core });
    client.write(initialize(), request(1, 'tools/list'), modern(call(2, 'echo', { text: 'é' })), request(3, 'nothing'));
    await client.until(4);
    expect(client.answer('init')?.result).toMatchObject({ protocolVersion: '2025-11-25' });
    expect(client.answer(1)?.result?.['tools']).toHaveLength(3);
    expect(client.answer(2)?.result).toMatchObject({ resultType: 'complete', content: [{ text: 'é' }] });
    expect(client.answer(3)?.error?.code).toBe(-32601);
    await client.transport.close();
  });

  it('asks a handshake client by a request', async () => {
    const { core } = coreOf(tools);
    const client = new PipeClient({ server: core });
    client.write(opening(), call(1, 'ask'));
    await client.until(2);
    const question = client.answers.find(({ method }) => method === 'elicitation/create');
    client.write({ jsonrpc: '2.0', id: question?.id, result: { action: 'accept', content: { name: 'Ada' } } });
    await client.until(3);
    expect(client.answer(1)?.result?.['content']).toMatchObject([{ text: 'hello Ada' }]);
    await client.transport.close();
  });

  it('asks a modern client by input_required, with a sealed state', async () => {
    const { core } = coreOf(tools, { sealer: new SealedState() });
    const client = new PipeClient({ server: core });
    client.write(asking(call(1, 'ask')));
    await client.until(1);
    const { inputRequests, requestState } = client.answer(1)?.result ?? {};
    const [key = ''] = Object.keys(inputRequests as object);
    const answered = { inputResponses: { [key]: { action: 'accept', content: { name: 'Ada' } } }, requestState };
    client.write(asking(request(2, 'tools/call', { name: 'ask', arguments: {}, ...answered })));
    await client.until(2);
    expect(client.answer(2)?.result?.['content']).toMatchObject([{ text: 'hello Ada' }]);
    await client.transport.close();
  });

  it('silences a cancelled call', async () => {
    const { core } = coreOf(tools);
    const client = new PipeClient({ server: core });
    client.write(modern(call(0, 'wait')), cancel(0), modern(call(9, 'echo', { text: 'alive' })));
    await client.until(1);
    await pause(5);
    expect(client.answers.map(({ id }) => id)).toEqual([9]);
    await client.transport.close();
  });

  it('ends a subscription gracefully when the client closes its side', async () => {
    const { core, bus } = coreOf(tools);
    const client = new PipeClient({ server: core });
    client.write(modern(request('L', 'subscriptions/listen', { notifications: { toolsListChanged: true } })));
    await client.until(1);
    bus.publish({ kind: 'tools' });
    client.input.end();
    await client.transport.closed;
    await pause(1);
    expect(client.answers.map(({ id, method }) => method ?? id)).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/tools/list_changed',
      'notifications/cancelled',
      'L',
    ]);
  });
});
