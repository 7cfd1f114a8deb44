import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module.js';
import { endpointOf, HOST } from '../endpoint.js';
import type { ConformanceOptions } from '../options.js';
import { arrange } from './arrangements.js';

/** A client may hold a connection open and say nothing on it; the end of the server does not wait for that. */
const FORCE_CLOSE = true;

/** Serves over HTTP; resolves to the URL of the endpoint once it listens. */
export async function serveHttp(options: ConformanceOptions): Promise<string> {
  const adapter =
    options.platform === 'fastify' ? new FastifyAdapter({ forceCloseConnections: FORCE_CLOSE }) : new ExpressAdapter();
  const app: INestApplication = await NestFactory.create(AppModule.for(options), adapter, {
    logger: ['fatal', 'error', 'warn'],
    forceCloseConnections: FORCE_CLOSE,
  });
  arrange(app, options.nest);
  app.enableShutdownHooks();
  await app.listen(options.port, HOST);
  return endpointOf(options);
}
