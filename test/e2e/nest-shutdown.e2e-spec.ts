import { connect } from 'node:net';
import { Injectable } from '@nestjs/common';
import { McpNotifier, McpTool, type McpContext } from 'nestjs-mcp';
import { describe, expect, it } from 'vitest';
import { legacy, modern, PLATFORMS, post, start } from './nest-app.js';
import { hostModule } from './nest-fixture.js';

@Injectable()
class Slow {
  readonly started: Promise<void>;
  #start: () => void = () => undefined;
  release: () => void = () => undefined;

  constructor() {
    this.started = new Promise((resolve) => (this.#start = resolve));
  }

  @McpTool()
  async slow(): Promise<string> {
    this.#start();
    await new Promise<void>((resolve) => (this.release = resolve));
    return 'finished';
  }

  @McpTool()
  async endless(_args: object, { signal }: McpContext): Promise<string> {
    this.#start();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    return 'gave up';
  }
}

function listen(url: string): Promise<Response> {
  return modern(url, 'subscriptions/listen', { notifications: { toolsListChanged: true } });
}

describe.each(PLATFORMS)('on %s', (platform) => {
  it.each([true, false])('ends open event streams with their last message: forceCloseConnections %s', async (force) => {
    const { app, url } = await start(platform, hostModule(), { forceCloseConnections: force });
    const responses = await Promise.all(Array.from({ length: 20 }, () => listen(url())));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    const texts = Promise.all(responses.map((response) => response.text()));
    app.get(McpNotifier).toolsChanged();
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(10_000);
    for (const text of await texts) {
      expect(text).toContain('notifications/tools/list_changed');
      expect(text).toMatch(/"id":1,"result":\{/);
    }
  });

  it('does not wait for a connection on which nothing was said', async () => {
    const { app, url } = await start(platform, hostModule(), { forceCloseConnections: false });
    const socket = connect(Number(new URL(url()).port), '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    await post(url(), legacy('tools/list'));
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(10_000);
    socket.destroy();
  });

  it('lets a running call finish', async () => {
    const { app, url } = await start(platform, hostModule({ providers: [Slow] }));
    const answer = post(url(), legacy('tools/call', { name: 'slow' }));
    const slow = app.get(Slow);
    await slow.started;
    const closed = app.close();
    setTimeout(() => slow.release(), 50);
    expect(await (await answer).text()).toContain('finished');
    await closed;
  });

  it('aborts a call that does not end within drainMs', async () => {
    const { app, url } = await start(platform, hostModule({ providers: [Slow], options: { drainMs: 50 } }));
    const answer = post(url(), legacy('tools/call', { name: 'endless' }));
    await app.get(Slow).started;
    const began = performance.now();
    await app.close();
    expect(performance.now() - began).toBeLessThan(8_000);
    expect((await answer).status).toBe(200);
  });
});
