import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { builtApp } from '../e2e/clients/built-app.js';
import { initialize } from '../e2e/clients/raw-session.js';
import { callTool, PLATFORMS } from '../e2e/nest-app.js';
import { ServerProcess } from '../e2e/server-process.js';
import { checkAnswer } from './answers.js';
import { campaign, CAMPAIGN_MS, SHRINK_MS } from './campaign.js';
import { hostileRequests, newAgent, send, shown } from './http-request.js';

const ECHO_EVERY = 16;

async function openSession(url: string): Promise<string> {
  const response = await initialize(url);
  await response.text();
  return response.headers.get('mcp-session-id') ?? '';
}

describe.each(PLATFORMS)('requests to an application on %s', (platform) => {
  const server = new ServerProcess(builtApp(), { PLATFORM: platform, BODY_MS: '150' });
  const agent = newAgent();
  beforeAll(() => server.start());
  afterAll(() => {
    agent.destroy();
    server.stop();
  });

  it(
    'are answered in time and properly, and the next ones too',
    async () => {
      let session = '';
      let runs = 0;
      await campaign({
        title: platform,
        input: hostileRequests,
        show: (requests) => requests.map(shown).join('\n'),
        check: async (requests) => {
          if (!server.alive) await server.start();
          const { url } = server;
          if (runs++ % ECHO_EVERY === 0) session = await openSession(url);
          const answers = await Promise.allSettled(
            requests.map((request) => send(agent, server.port, request, session)),
          );
          await turn();
          if (!server.alive) throw new Error(`the process ended: ${server.errors}`);
          for (const answer of answers) {
            if (answer.status === 'rejected') throw answer.reason as Error;
            checkAnswer(answer.value);
          }
          if (runs % ECHO_EVERY !== 0) return;
          const headers = { 'mcp-session-id': await openSession(url), 'mcp-protocol-version': '2025-11-25' };
          const text = await callTool(url, 'join', { left: 'foot', right: 'note' }, headers);
          if (text !== 'footnote') throw new Error(`an honest call afterwards: ${text}`);
        },
      });
    },
    CAMPAIGN_MS + SHRINK_MS + 30_000,
  );
});
