import { PassThrough } from 'node:stream';
import { Injectable, Logger, Module, type CanActivate, type ExecutionContext, type Type } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { McpBootError, McpModule, McpTool, type McpContext } from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import { serveOver, type ServeStdioOptions, type StdioTarget } from '../../src/mcp.stdio.js';
import { legacy } from './nest-app.js';
import { Echo, hostModule, OPEN } from './nest-fixture.js';

interface Conversation {
  say(line: string): void;
  hear(test: (line: string) => boolean): Promise<string>;
  /** Closes the client's side; tells whether the client ended it. */
  leave(): Promise<boolean>;
}

async function open(target: StdioTarget, options: ServeStdioOptions = {}): Promise<Conversation> {
  const input = new PassThrough();
  const output = new PassThrough();
  let heard = '';
  output.setEncoding('utf8').on('data', (text: string) => (heard += text));
  const { closed } = await serveOver(target, { drainMs: 100, ...options, input, output });
  return {
    say: (line) => void input.write(`${line}\n`),
    async hear(test) {
      for (;;) {
        const found = heard.split('\n').find((line) => line !== '' && test(line));
        if (found !== undefined) return found;
        await new Promise((resolve) => output.once('data', resolve));
      }
    },
    leave() {
      input.end();
      return closed;
    },
  };
}

const INITIALIZE = legacy('initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

async function toolText(conversation: Conversation, name: string, args: object = {}): Promise<string> {
  conversation.say(INITIALIZE);
  await conversation.hear((line) => line.includes('"serverInfo"'));
  conversation.say(legacy('tools/call', { name, arguments: args }, 'call'));
  return conversation.hear((line) => line.includes('"id":"call"'));
}

// What Nest itself says at a start is not the subject here.
Logger.overrideLogger(false);

const AppModule: Type = hostModule();

describe('an application over stdio', () => {
  it.each<[string, StdioTarget]>([
    ['a module', AppModule],
    ['a dynamic module', { module: AppModule }],
    ['a function that loads the module', () => Promise.resolve(AppModule)],
    ['a file that exports AppModule beside others', () => Promise.resolve({ AppModule, Echo })],
    ['a file with a default export', () => Promise.resolve({ default: AppModule, Echo })],
    ['a file that exports one class', () => Promise.resolve({ Root: AppModule, answer: 42 })],
  ])('starts from %s', async (_what, target) => {
    const conversation = await open(target);
    expect(await toolText(conversation, 'echo', { text: 'hi' })).toContain('"text":"hi"');
    expect(await conversation.leave()).toBe(true);
  });

  it.each<[string, StdioTarget]>([
    ['nothing', () => Promise.resolve(undefined)],
    ['two classes', () => Promise.resolve({ AppRoot: AppModule, Echo })],
  ])('does not start from %s', async (_what, target) => {
    await expect(open(target)).rejects.toThrow('serveStdio found no module class');
  });

  it('serves the server that is named', async () => {
    @Module({
      imports: [
        McpModule.forRoot({ ...OPEN, name: 'one', path: 'one' }),
        McpModule.forRoot({ ...OPEN, server: { name: 'second', version: '2' }, name: 'two', path: 'two' }),
      ],
    })
    class Several {}
    const conversation = await open(Several, { server: 'two' });
    conversation.say(INITIALIZE);
    expect(await conversation.hear((line) => line.includes('serverInfo'))).toContain('"second"');
    await conversation.leave();
    await expect(open(Several, { server: 'three' })).rejects.toThrow('There is no MCP server named "three"');
    await expect(open(Several)).rejects.toThrow('There are several MCP servers');
  });

  it('rejects with every fault at boot', async () => {
    await expect(open(hostModule({ options: { pageSize: { tools: 0 } } }))).rejects.toThrow(McpBootError);
  });

  it('runs global guards on handlers, decorated and programmatic', async () => {
    const seen: string[] = [];
    const guard: CanActivate = {
      canActivate: (context: ExecutionContext) => {
        seen.push(`${context.getType()} ${JSON.stringify(context.switchToHttp().getRequest())}`);
        return false;
      },
    };
    for (const name of ['echo', 'plain']) {
      const host = hostModule({
        providers: [{ provide: APP_GUARD, useValue: guard }],
        imports: [McpModule.forFeature([{ kind: 'tool', name: 'plain', handler: () => 'ran' }])],
      });
      const conversation = await open(host);
      const answer = await toolText(conversation, name, name === 'echo' ? { text: 'x' } : {});
      expect(answer).toContain('"isError":true');
      expect(answer).toContain('Forbidden');
      await conversation.leave();
    }
    expect(seen).toEqual(['mcp {"headers":{}}', 'mcp {"headers":{}}']);
  });

  it('gives handlers a context without a caller', async () => {
    @Injectable()
    class Who {
      @McpTool()
      who(_args: object, { identity, identityKey, sessionId }: McpContext): unknown {
        return [identity, identityKey, sessionId].every((value) => value === undefined) ? 'nobody' : 'somebody';
      }
    }
    const conversation = await open(hostModule({ providers: [Who] }));
    expect(await toolText(conversation, 'who')).toContain('nobody');
    await conversation.leave();
  });

  it('bounds lines by limits.bodyBytes', async () => {
    const conversation = await open(hostModule({ options: { limits: { bodyBytes: 1_000 } } }));
    conversation.say(legacy('ping', { filler: 'x'.repeat(1_000) }));
    expect(await conversation.hear(() => true)).toContain('exceeds 1000 bytes');
    await conversation.leave();
  });
});
