import {
  Catch,
  Module,
  RequestMethod,
  ValidationPipe,
  VersioningType,
  type ArgumentsHost,
  type CallHandler,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplication,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_INTERCEPTOR, RouterModule } from '@nestjs/core';
import { ExpressAdapter, type NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import compress from '@fastify/compress';
import fastifyHelmet from '@fastify/helmet';
import compression from 'compression';
import express from 'express';
import helmet from 'helmet';
import multer from 'multer';
import { McpModule } from 'nestjs-mcp';
import { map, type Observable } from 'rxjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  callTool,
  exchange,
  legacy,
  PLATFORMS,
  post,
  start,
  type Answer,
  type Platform,
  type Running,
  type StartOptions,
} from './nest-app.js';
import { hostModule } from './nest-fixture.js';

class Wrapping implements NestInterceptor {
  intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
    return next.handle().pipe(map((data: unknown) => ({ ok: true, data })));
  }
}

@Catch()
class CatchAll implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<{ status(code: number): { send(body: unknown): void } }>();
    response.status(418).send({ caught: true });
  }
}

interface Arrangement {
  readonly name: string;
  readonly only?: Platform;
  readonly module?: ReturnType<typeof hostModule>;
  readonly options?: (platform: Platform) => StartOptions;
  readonly configure?: (app: INestApplication, platform: Platform) => unknown;
  readonly path?: string;
  /** The host's own route still gets its parsed body. */
  readonly plain?: string;
}

function routed(): ReturnType<typeof hostModule> {
  @Module({ imports: [hostModule(), RouterModule.register([{ path: 'tools', module: McpModule }])] })
  class Routed {}
  return Routed;
}

const both = (platform: Platform, onExpress: () => unknown, onFastify: () => unknown): unknown =>
  platform === 'express' ? onExpress() : onFastify();

const ARRANGEMENTS: readonly Arrangement[] = [
  { name: 'nothing special', plain: '/plain' },
  { name: 'a path of several segments', module: hostModule({ extras: { path: '/ai/mcp/' } }), path: '/ai/mcp' },
  {
    name: 'a global prefix',
    configure: (app) => app.setGlobalPrefix('api/v1'),
    path: '/api/v1/mcp',
    plain: '/api/v1/plain',
  },
  {
    name: 'a global prefix that excludes the endpoint',
    configure: (app) => app.setGlobalPrefix('api', { exclude: [{ path: 'mcp', method: RequestMethod.ALL }] }),
    plain: '/api/plain',
  },
  {
    name: 'URI versioning with a default version',
    configure: (app) => app.enableVersioning({ type: VersioningType.URI, defaultVersion: '2' }),
    plain: '/v2/plain',
  },
  {
    name: 'header versioning',
    configure: (app) => app.enableVersioning({ type: VersioningType.HEADER, header: 'x-version', defaultVersion: '2' }),
  },
  {
    name: 'a global ValidationPipe',
    configure: (app) =>
      app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true })),
  },
  { name: 'a response-wrapping interceptor', configure: (app) => app.useGlobalInterceptors(new Wrapping()) },
  {
    name: 'a response-wrapping APP_INTERCEPTOR',
    module: hostModule({ providers: [{ provide: APP_INTERCEPTOR, useClass: Wrapping }] }),
  },
  { name: 'a catch-all filter', configure: (app) => app.useGlobalFilters(new CatchAll()) },
  { name: 'a catch-all APP_FILTER', module: hostModule({ providers: [{ provide: APP_FILTER, useClass: CatchAll }] }) },
  {
    name: 'helmet',
    configure: (app, platform) =>
      both(
        platform,
        () => app.use(helmet()),
        () => (app as NestFastifyApplication).register(fastifyHelmet),
      ),
  },
  {
    name: 'compression',
    configure: (app, platform) =>
      both(
        platform,
        () => app.use(compression({ threshold: 0 })),
        () => (app as NestFastifyApplication).register(compress, { threshold: 0 }),
      ),
  },
  { name: 'rawBody: true', options: () => ({ rawBody: true }), plain: '/plain' },
  { name: 'bodyParser: false', options: () => ({ bodyParser: false }) },
  {
    name: 'a parser with a tiny limit',
    configure: (app, platform) =>
      both(
        platform,
        () => (app as NestExpressApplication).useBodyParser('json', { limit: '10b' }),
        () => (app as NestFastifyApplication).useBodyParser('application/json', { bodyLimit: 10 }),
      ),
  },
  { name: 'enableCors', configure: (app) => app.enableCors({ origin: 'https://host.example' }), plain: '/plain' },
  { name: 'RouterModule', module: routed(), path: '/tools/mcp', plain: '/plain' },
  {
    name: 'RouterModule behind a global prefix',
    module: routed(),
    configure: (app) => app.setGlobalPrefix('api'),
    path: '/api/tools/mcp',
    plain: '/api/plain',
  },
  {
    name: 'an Express instance with its own parser',
    only: 'express',
    options: () => {
      const instance = express();
      instance.use(express.json());
      return { adapter: new ExpressAdapter(instance) };
    },
    plain: '/plain',
  },
  {
    name: 'an Express instance that reads every body as bytes',
    only: 'express',
    options: () => {
      const instance = express();
      instance.use(express.raw({ type: () => true, limit: '5mb' }));
      return { adapter: new ExpressAdapter(instance) };
    },
  },
  {
    name: 'express.json() after create',
    only: 'express',
    configure: (app) => app.use(express.json()),
    plain: '/plain',
  },
  { name: 'multer in front', configure: (app) => app.use(multer().any()) },
  { name: 'express.json() as middleware of Fastify', only: 'fastify', configure: (app) => app.use(express.json()) },
  {
    name: 'a content type parser for everything',
    only: 'fastify',
    configure: (app) =>
      (app as NestFastifyApplication)
        .getHttpAdapter()
        .getInstance()
        .addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body)),
  },
  {
    name: 'a router that ignores case',
    only: 'fastify',
    options: () => ({
      adapter: new FastifyAdapter({ routerOptions: { caseSensitive: false, ignoreTrailingSlash: true } }),
    }),
    path: '/MCP/',
  },
];

describe.each(PLATFORMS)('on %s', (platform) => {
  const here = ARRANGEMENTS.filter(({ only }) => only === undefined || only === platform);

  describe.each(here)('under $name', ({ module = hostModule(), options, configure, path = '/mcp', plain }) => {
    let running: Running;

    beforeAll(async () => {
      running = await start(platform, module, {
        ...options?.(platform),
        configure: (app) => configure?.(app, platform),
      });
    });
    afterAll(() => running.app.close());

    it('calls a tool', async () => {
      expect(await callTool(running.url(path), 'echo', { text: 'hällo' })).toBe('hällo');
    });

    it('answers exactly the bytes of the protocol', async () => {
      const response = await post(running.url(path), legacy('ping', undefined, 'p-1'));
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(await response.text()).toBe('{"jsonrpc":"2.0","id":"p-1","result":{}}');
    });

    it('reads a body larger than the parsers of the host would', async () => {
      const text = 'x'.repeat(300_000);
      expect(await callTool(running.url(path), 'echo', { text })).toBe(text);
    });

    it('answers malformed JSON as JSON-RPC', async () => {
      const response = await post(running.url(path), '{"jsonrpc":"2.0",');
      expect(response.status).toBe(400);
      expect(((await response.json()) as Answer).error?.code).toBe(-32700);
    });

    it('answers a body beyond its own limit as JSON-RPC', async () => {
      const response = await post(running.url(path), `"${'x'.repeat(4_194_304)}"`);
      expect(response.status).toBe(413);
      expect(((await response.json()) as Answer).error?.code).toBe(-32600);
    });

    it.each(['PUT', 'PATCH', 'GET', 'DELETE'])('answers %s with 405', async (method) => {
      const response = await fetch(running.url(path), { method });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).toBe('POST');
      expect(((await response.json()) as Answer).error?.code).toBe(-32600);
    });

    it('refuses a foreign origin', async () => {
      const response = await post(running.url(path), legacy('ping'), { origin: 'https://evil.example' });
      expect(response.status).toBe(403);
      expect(((await response.json()) as Answer).error?.message).toBe('Origin not allowed');
    });

    it('refuses without waiting for a body that is withheld', async () => {
      const head = `PUT ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`;
      const { text } = await exchange(running.port, head, 20);
      expect(text).toMatch(/^HTTP\/1\.1 405 /);
    });

    if (plain !== undefined) {
      it('leaves the bodies of other routes to the host', async () => {
        const response = await post(running.url(plain), '{"a":1}');
        expect(await response.text()).toContain('"body":{"a":1}');
      });
    }
  });

  it('keeps the headers that helmet and enableCors set', async () => {
    const { app, url } = await start(platform, hostModule({ options: { allowedOrigins: 'any' } }), {
      configure: async (host) => {
        if (platform === 'express') host.use(helmet());
        else await (host as NestFastifyApplication).register(fastifyHelmet);
        host.enableCors({ origin: 'https://host.example', exposedHeaders: ['X-Host'] });
      },
    });
    try {
      const { headers } = await post(url(), legacy('ping'), { origin: 'https://host.example' });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('access-control-allow-origin')).toBe('https://host.example');
      expect(headers.get('access-control-expose-headers')).toBe('X-Host');
    } finally {
      await app.close();
    }
  });
});
