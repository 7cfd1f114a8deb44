import { Logger, Module } from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { McpBootError, McpModule, serveMcp } from 'nestjs-mcp';
import { afterEach, describe, expect, it } from 'vitest';
import { callTool, legacy, post } from './nest-app.js';
import { hostModule, OPEN } from './nest-fixture.js';

Logger.overrideLogger(false);

const AppModule = hostModule();
let close: (() => Promise<void>) | undefined;

async function served(...given: Parameters<typeof serveMcp>) {
  const running = await serveMcp(...given);
  close = () => running.close();
  return running;
}

afterEach(async () => {
  await close?.();
  close = undefined;
});

describe('serveMcp', () => {
  it('listens at a free port and says where', async () => {
    const { url, port, app } = await served(AppModule, '127.0.0.1:0');
    expect(port).toBeGreaterThan(0);
    expect(url).toBe(`http://127.0.0.1:${port}/mcp`);
    expect(await callTool(url, 'echo', { text: 'hi' })).toBe('hi');
    expect(await callTool(`${url}?x=1`, 'echo', { text: 'query' })).toBe('query');
    expect((await post(`http://127.0.0.1:${port}/other`, legacy('ping'))).status).toBe(404);
    expect(app.getHttpServer().address()).toMatchObject({ address: '127.0.0.1' });
  });

  it('is on the loopback interface when no host is named, and shows 0.0.0.0 as 127.0.0.1', async () => {
    const { app, url, close: end } = await served(AppModule, ':0');
    expect(app.getHttpServer().address()).toMatchObject({ address: '127.0.0.1' });
    expect(await callTool(url, 'echo', { text: 'hi' })).toBe('hi');
    await end();
    const open = await served(AppModule, '0.0.0.0:0');
    expect(open.app.getHttpServer().address()).toMatchObject({ address: '0.0.0.0' });
    expect(open.url).toBe(`http://127.0.0.1:${open.port}/mcp`);
    expect(await callTool(open.url, 'echo', { text: 'hi' })).toBe('hi');
  });

  it('ignores names in expose that no tool has', async () => {
    const module = hostModule({ options: { expose: { tools: ['echo', 'no such tool'] } } });
    const { url } = await served(module, '127.0.0.1:0');
    expect(await callTool(url, 'echo', { text: 'hi' })).toBe('hi');
  });

  it('takes what loads the module, another platform, and one of several servers', async () => {
    @Module({
      imports: [
        hostModule({ extras: { name: 'a', path: 'a' } }),
        McpModule.forRoot({ ...OPEN, name: 'b', path: '/deep/b' }),
      ],
    })
    class Several {}
    const load = () => Promise.resolve({ AppModule: Several });
    const { url, app } = await served(load, ':0', { server: 'b', adapter: new FastifyAdapter() });
    expect(app.getHttpAdapter().getType()).toBe('fastify');
    expect(url).toMatch(/:\d+\/deep\/b$/);
    expect(await callTool(url, 'echo', { text: 'hi' })).toBe('hi');
    await expect(serveMcp(load, ':0')).rejects.toThrow('several');
  });

  it('closes with the last connection', async () => {
    const { url, close: end } = await served(AppModule, ':0');
    await end();
    await expect(fetch(url)).rejects.toThrow();
  });

  it('rejects, and leaves nothing behind, when it cannot start', async () => {
    await expect(serveMcp(AppModule, 'nonsense')).rejects.toThrow('host:port');
    const broken = hostModule({ options: { server: { name: '', version: '1' } } });
    await expect(serveMcp(broken, ':0')).rejects.toBeInstanceOf(McpBootError);
    const { port } = await served(AppModule, ':0');
    await expect(serveMcp(AppModule, `:${port}`)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });
});
