import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppModule } from '../app.module.js';
import { endpointOf, HOST } from '../endpoint.js';
import type { ConformanceOptions } from '../options.js';
import { arrange } from './arrangements.js';

/** Serves over HTTP; resolves to the URL of the endpoint once it listens. */
export async function serveHttp(options: ConformanceOptions): Promise<string> {
  const adapter = options.platform === 'fastify' ? new FastifyAdapter() : new ExpressAdapter();
  const app: INestApplication = await NestFactory.create(AppModule.for(options), adapter, {
    logger: ['fatal', 'error', 'warn'],
  });
  arrange(app, options.nest);
  app.enableShutdownHooks();
  await app.listen(options.port, HOST);
  return endpointOf(options);
}
