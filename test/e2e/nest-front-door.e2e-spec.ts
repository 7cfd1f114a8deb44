import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Injectable, type CanActivate } from '@nestjs/common';
import { APP_GUARD, NestFactory } from '@nestjs/core';
import { McpTool } from 'nestjs-mcp';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { callTool, exchange, legacy, PLATFORMS, post, start, type Platform, type Running } from './nest-app.js';
import { hostModule, type HostParts } from './nest-fixture.js';

const DENY: CanActivate = { canActivate: () => false };
const APP = 'https://app.example.com';

async function serving<T>(platform: Platform, parts: HostParts, check: (running: Running) => Promise<T>): Promise<T> {
  const running = await start(platform, hostModule(parts));
  try {
    return await check(running);
  } finally {
    await running.app.close();
  }
}

function preflight(url: string, origin: string): Promise<Response> {
  return fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
  });
}

/** `fetch` cannot name another host than it connects to. */
function statusFor(port: number, host: string | undefined): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      path: '/mcp',
      setHost: false,
      ...(host === undefined ? {} : { headers: { host } }),
    };
    httpRequest(options, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

describe.each(PLATFORMS)('on %s, the front door', (platform) => {
  it('refuses a foreign origin before every guard, opaquely, and ends the connection', async () => {
    const parts = { options: { guards: [DENY] }, providers: [{ provide: APP_GUARD, useValue: DENY }] };
    await serving(platform, parts, async ({ url }) => {
      for (const method of ['GET', 'OPTIONS', 'DELETE']) {
        const response = await fetch(url(), { method, headers: { origin: 'https://evil.example' } });
        expect(response.status).toBe(403);
        expect(response.headers.get('connection')).toBe('close');
        expect(response.headers.get('access-control-allow-origin')).toBeNull();
        expect(await response.text()).toBe('{"jsonrpc":"2.0","error":{"code":-32600,"message":"Origin not allowed"}}');
      }
    });
  });

  it('answers a preflight before every guard', async () => {
    @Injectable()
    class Regions {
      @McpTool({ input: { type: 'object', properties: { r: { type: 'string', 'x-mcp-header': 'Region' } } } })
      region(): void {}
    }
    const parts = {
      options: { allowedOrigins: [APP], guards: [DENY] },
      providers: [Regions, { provide: APP_GUARD, useValue: DENY }],
    };
    await serving(platform, parts, async ({ url }) => {
      const { status, headers } = await preflight(url(), APP);
      expect(status).toBe(204);
      expect(headers.get('access-control-allow-origin')).toBe(APP);
      expect(headers.get('access-control-allow-methods')).toBe('POST');
      expect(headers.get('access-control-allow-headers')).toContain('Mcp-Param-Region');
      expect(headers.get('access-control-max-age')).toBe('600');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      expect((await preflight(url(), 'https://evil.example')).status).toBe(403);
      expect((await preflight(url('/plain'), APP)).status).toBe(404);
    });
  });

  it('lets an allowed browser read answers and refusals', async () => {
    const guard: CanActivate = {
      canActivate: (context) => 'x-let-in' in context.switchToHttp().getRequest<{ headers: object }>().headers,
    };
    await serving(platform, { options: { allowedOrigins: [APP], guards: [guard] } }, async ({ url }) => {
      for (const [status, extra] of [
        [200, { 'x-let-in': '1' }],
        [403, {}],
      ] as const) {
        const response = await post(url(), legacy('ping'), { origin: APP, ...extra });
        expect(response.status).toBe(status);
        expect(response.headers.get('access-control-allow-origin')).toBe(APP);
        expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
        expect(response.headers.get('vary')).toContain('Origin');
      }
      const { headers } = await post(url(), legacy('ping'), { 'x-let-in': '1' });
      expect(headers.get('access-control-allow-origin')).toBeNull();
    });
  });

  it('reflects the origin when any may call', async () => {
    await serving(platform, { options: { allowedOrigins: 'any' } }, async ({ url }) => {
      const { headers } = await post(url(), legacy('ping'), { origin: 'https://anybody.example' });
      expect(headers.get('access-control-allow-origin')).toBe('https://anybody.example');
    });
  });

  it('adds to Vary what the host put there', async () => {
    const running = await start(platform, hostModule({ options: { allowedOrigins: [APP] } }), {
      configure: (app) =>
        app.use((_request: unknown, response: { setHeader(name: string, value: string): void }, next: () => void) => {
          response.setHeader('vary', 'Accept-Encoding');
          next();
        }),
    });
    const { headers } = await post(running.url(), legacy('ping'), { origin: APP });
    expect(headers.get('vary')).toBe('Accept-Encoding, Origin');
    await running.app.close();
  });

  it('refuses foreign hosts on a loopback connection, and none at all', async () => {
    await serving(platform, {}, async ({ port }) => {
      expect(await statusFor(port, 'evil.example')).toBe(403);
      expect(await statusFor(port, `localhost.evil.example:${port}`)).toBe(403);
      expect(await statusFor(port, 'LOCALHOST')).toBe(405);
      expect(await statusFor(port, `[::1]:${port}`)).toBe(405);
      const { text } = await exchange(port, 'GET /mcp HTTP/1.0\r\n\r\n');
      expect(text).toMatch(/^HTTP\/1\.1 403 /);
    });
  });

  it('knows the hosts it was told', async () => {
    await serving(platform, { options: { allowedHosts: ['api.example.com'] } }, async ({ port }) => {
      expect(await statusFor(port, 'api.example.com:8443')).toBe(405);
      expect(await statusFor(port, 'localhost')).toBe(403);
    });
  });

  it.each(['/MCP', '/mcp/', '/%6dcp', '//mcp', '/mcp?x=1', '/mcp#x', '/mcp;x', '/./mcp'])(
    'is at every spelling of the path that the router takes: %s',
    async (target) => {
      const strict = start(platform, hostModule());
      const lax = start(platform, hostModule(), {
        ...(platform === 'fastify'
          ? {
              adapter: new FastifyAdapter({
                routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, ignoreDuplicateSlashes: true },
              }),
            }
          : {}),
      });
      for (const { app, port } of await Promise.all([strict, lax])) {
        const body = legacy('tools/list');
        const head = `POST ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: ${body.length}\r\n`;
        const answers = async (extra: string): Promise<string | undefined> =>
          /^HTTP\/1\.1 (\d+)/.exec((await exchange(port, `${head}${extra}\r\n${body}`, 20)).text)?.[1];
        expect(['200', '404']).toContain(await answers(''));
        expect(['403', '404']).toContain(await answers('Origin: https://evil.example\r\n'));
        await app.close();
      }
    },
  );

  it('leaves other routes alone', async () => {
    await serving(platform, {}, async ({ url, port }) => {
      expect((await post(url('/plain'), '{}', { origin: 'https://evil.example' })).status).toBe(201);
      const { text } = await exchange(port, 'POST /plain HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 0\r\n\r\n');
      expect(text).toMatch(/^HTTP\/1\.1 201 /);
    });
  });

  it('asks for the body of an Expect: 100-continue only when it is about to be read', async () => {
    const body = legacy('ping');
    const head = (path: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`;
    await serving(platform, { options: { guards: [DENY] } }, async ({ port }) => {
      const refused = await exchange(port, head('/mcp'), 1_000);
      expect(refused.text).toMatch(/^HTTP\/1\.1 403 /);
      expect(refused.text).not.toContain('100 Continue');
      expect((await exchange(port, head('/plain') + body)).text).toMatch(/^HTTP\/1\.1 100 Continue/);
    });
    await serving(platform, {}, async ({ port }) => {
      const { text } = await exchange(port, head('/mcp') + body);
      expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
    });
  });

  it('leaves Expect to a host that answers it itself', async () => {
    const seen: string[] = [];
    const running = await start(platform, hostModule(), {
      configure: (app) => {
        const server = app.getHttpServer() as import('node:http').Server;
        server.on('checkContinue', (request, response) => {
          seen.push(String(request.url));
          response.writeContinue();
          server.emit('request', request, response);
        });
      },
    });
    const body = legacy('ping');
    const { text } = await exchange(
      running.port,
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await running.app.close();
    expect(text.match(/100 Continue/g)).toHaveLength(1);
    expect(text).toContain('HTTP/1.1 200 ');
    expect(seen).toEqual(['/mcp']);
  });

  it('reads chunked bodies, and requests that follow on one connection', async () => {
    await serving(platform, {}, async ({ port }) => {
      const body = legacy('ping', undefined, 7);
      const head = 'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nAccept: */*\r\n';
      const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const sized = `${head}Content-Length: ${body.length}\r\n\r\n${body}`;
      const { text, closed } = await exchange(port, chunked + sized);
      expect(text.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
      expect(closed).toBe(false);
    });
  });
});

describe('an application that is a plain request listener', () => {
  it('serves without ever listening itself', async () => {
    const instance = express();
    const { ExpressAdapter } = await import('@nestjs/platform-express');
    const app = await NestFactory.create(hostModule(), new ExpressAdapter(instance), { logger: false });
    await app.init();
    const server = instance.listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await callTool(`http://127.0.0.1:${port}/mcp`, 'echo', { text: 'hi' })).toBe('hi');
    await new Promise((resolve) => server.close(resolve));
    await app.close();
  });
});
