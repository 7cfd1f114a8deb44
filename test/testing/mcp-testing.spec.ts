import { Injectable, Logger, UseGuards, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Test, type TestingModule } from '@nestjs/testing';
import { McpBootError, McpCtx, McpModule, McpPrompt, McpResource, McpResourceTemplate, McpTool } from 'nestjs-mcp';
import { McpArg, McpCatalog, McpCompletion, McpError, type McpContext, type McpModuleOptions } from 'nestjs-mcp';
import { describeRevisions, McpTesting } from 'nestjs-mcp/testing';
import { afterEach, describe, expect, it } from 'vitest';

Logger.overrideLogger(false);

@Injectable()
class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<{ user?: { role?: string } }>();
    return request.user?.role === 'admin';
  }
}

@Injectable()
class Never implements CanActivate {
  canActivate(): boolean {
    return false;
  }
}

@Injectable()
class Library {
  @McpTool({ description: 'Adds', mode: 'read-only' })
  add(@McpArg('a') a: number, @McpArg('b') b: number): number {
    return a + b;
  }

  @McpTool()
  @UseGuards(AdminGuard)
  wipe(@McpCtx() context: McpContext): string {
    return `wiped by ${context.identityKey}`;
  }

  @McpTool()
  async book(_args: unknown, context: McpContext): Promise<string> {
    const schema = { type: 'object', properties: { seats: { type: 'integer' } }, required: ['seats'] };
    const answer = await context.elicit<{ seats: number }>({ message: 'How many?', schema });
    return answer.action === 'accept' ? `${answer.content.seats} seats` : answer.action;
  }

  @McpResource({ uri: 'library://rules' })
  rules(): string {
    return 'silence';
  }

  @McpResourceTemplate({ uriTemplate: 'library://book/{title}' })
  text({ title }: { title: string }): string {
    return `text of ${title}`;
  }

  @McpPrompt()
  recommend(@McpArg('genre') genre: string): string {
    return `Recommend ${genre}`;
  }

  @McpCompletion({ prompt: 'recommend', argument: 'genre' })
  genres(value: string): string[] {
    return ['crime', 'comedy', 'drama'].filter((genre) => genre.startsWith(value));
  }
}

const OPTIONS: McpModuleOptions = {
  server: { name: 'library', version: '1.0.0', instructions: 'Be quiet' },
  allowedOrigins: [],
  guards: [Never],
};

let moduleRef: TestingModule | undefined;

async function compiled(options: Partial<McpModuleOptions> = {}): Promise<TestingModule> {
  moduleRef = await Test.createTestingModule({
    imports: [McpModule.forRoot({ ...OPTIONS, ...options })],
    providers: [Library],
  }).compile();
  return moduleRef;
}

afterEach(async () => {
  // Nest 11 rejects here with what made the start fail.
  await moduleRef?.close().catch(() => undefined);
  moduleRef = undefined;
});

describeRevisions(describe, 'a test of tools without a port', (revision) => {
  it('is five lines', async () => {
    const client = await McpTesting.connect(await compiled(), { revision });
    const { content } = await client.callTool('add', { a: 1, b: 2 });
    expect(content).toEqual([{ type: 'text', text: '3' }]);
  });

  it('lists, reads, gets and completes', async () => {
    const client = await McpTesting.connect(await compiled({ pageSize: { tools: 1 } }), { revision });
    expect(client.revision).toBe(revision);
    expect(client.serverInfo).toMatchObject({ name: 'library', version: '1.0.0' });
    expect(client.instructions).toBe('Be quiet');
    expect(client.serverCapabilities).toHaveProperty('tools');
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['add', 'book', 'wipe']);
    expect((await client.listResources()).map(({ uri }) => uri)).toEqual(['library://rules']);
    expect((await client.listResourceTemplates()).map(({ name }) => name)).toEqual(['text']);
    expect((await client.listPrompts()).map(({ name }) => name)).toEqual(['recommend']);
    expect((await client.readResource('library://book/Emma')).contents[0]?.text).toBe('text of Emma');
    const { messages } = await client.getPrompt('recommend', { genre: 'crime' });
    expect(messages[0]).toMatchObject({ role: 'user', content: { text: 'Recommend crime' } });
    const completion = { ref: { prompt: 'recommend' }, argument: 'genre', value: 'c' };
    expect((await client.complete(completion)).values).toEqual(['crime', 'comedy']);
  });

  it('runs the guards of handlers for the caller it names, and not those of the endpoint', async () => {
    const app = await compiled();
    const nobody = await McpTesting.connect(app, { revision });
    expect(await nobody.callTool('wipe')).toMatchObject({ isError: true, content: [{ text: 'Forbidden' }] });
    const admin = await McpTesting.connect(app, { revision, identity: { sub: 'ada', role: 'admin' } });
    expect(await admin.callTool('wipe')).toMatchObject({ content: [{ text: 'wiped by ada' }] });
    const forged = await McpTesting.connect(app, { revision, request: { user: { role: 'admin' } } });
    expect(await forged.callTool('wipe')).toMatchObject({ content: [{ text: 'wiped by undefined' }] });
  });

  it('rejects with the error of the protocol', async () => {
    const client = await McpTesting.connect(await compiled(), { revision });
    await expect(client.callTool('burn')).rejects.toBeInstanceOf(McpError);
    await expect(client.request('no/such')).rejects.toMatchObject({ code: -32601 });
  });

  it('answers questions, where they exist', async () => {
    const client = await McpTesting.connect(await compiled(), {
      revision,
      answers: { elicit: () => ({ action: 'accept', content: { seats: 4 } }) },
    });
    const booking = client.callTool('book');
    if (revision === '2025-03-26') await expect(booking).rejects.toThrow('has no forms');
    else expect(await booking).toMatchObject({ content: [{ text: '4 seats' }] });
  });

  it('cancels by signal and passes _meta', async () => {
    const client = await McpTesting.connect(await compiled(), { revision });
    const signal = AbortSignal.abort(new Error('too late'));
    await expect(client.callTool('add', { a: 1, b: 2 }, { signal })).rejects.toThrow('too late');
    const meta = { 'io.modelcontextprotocol/protocolVersion': 'x' };
    if (revision === '2026-07-28') {
      await expect(client.callTool('add', {}, { meta })).rejects.toMatchObject({ code: -32022 });
    }
    client.close();
    await expect(client.listTools()).rejects.toThrow('closed');
  });
});

describe('a client for tests', () => {
  it('speaks the newest revision that the server serves', async () => {
    expect((await McpTesting.connect(await compiled())).revision).toBe('2026-07-28');
    const old = await compiled({ revisions: ['2025-06-18', '2025-03-26'] });
    expect((await McpTesting.connect(old)).revision).toBe('2025-06-18');
    await expect(McpTesting.connect(old, { revision: '2026-07-28' })).rejects.toThrow('does not serve');
    await expect(McpTesting.connect(old, { revision: '1999-01-01' as never })).rejects.toThrow('"1999-01-01"');
  });

  it('takes an application as well, whose endpoint it passes by', async () => {
    const app = (await compiled()).createNestApplication({ logger: false });
    const client = await McpTesting.connect(app);
    expect(await client.callTool('add', { a: 1, b: 2 })).toMatchObject({ structuredContent: 3 });
    await app.close();
  });

  it('finds a server by its name', async () => {
    moduleRef = await Test.createTestingModule({
      imports: [
        McpModule.forRoot({ ...OPTIONS, name: 'a', path: 'a', server: { name: 'first', version: '1' } }),
        McpModule.forRoot({ ...OPTIONS, name: 'b', path: 'b', server: { name: 'second', version: '1' } }),
      ],
    }).compile();
    expect((await McpTesting.connect(moduleRef, { server: 'b' })).serverInfo?.name).toBe('second');
    await expect(McpTesting.connect(moduleRef)).rejects.toThrow('several');
  });

  it('fails as the application does when something is wrong at its start', async () => {
    await expect(McpTesting.connect(await compiled({ server: { name: '', version: '1' } }))).rejects.toBeInstanceOf(
      McpBootError,
    );
  });

  it('hears of changes', async () => {
    const app = await compiled();
    const client = await McpTesting.connect(app, { revision: '2025-11-25' });
    app.get(McpCatalog).remove('tool', 'add');
    expect(client.notifications.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
  });
});
