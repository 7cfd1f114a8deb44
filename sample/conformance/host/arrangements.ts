import { ClassSerializerInterceptor, ValidationPipe, VersioningType, type INestApplication } from '@nestjs/common';
import { HttpAdapterHost, Reflector } from '@nestjs/core';
import { METADATA_PATH } from '../auth/metadata.controller.js';
import { PREFIX } from '../endpoint.js';
import type { Arrangement } from '../options.js';
import { CatchAllFilter } from './catch-all.filter.js';
import { WrapInterceptor } from './wrap.interceptor.js';

type Arrange = (app: INestApplication) => void;

const ARRANGE: Readonly<Record<Arrangement, Arrange>> = {
  prefix: (app) => {
    app.setGlobalPrefix(PREFIX, { exclude: [METADATA_PATH, `${METADATA_PATH}/*path`] });
    app.enableVersioning({ type: VersioningType.URI, defaultVersion: '1' });
  },
  wrap: (app) => {
    app.useGlobalInterceptors(new WrapInterceptor(), new ClassSerializerInterceptor(app.get(Reflector)));
  },
  validation: (app) => {
    app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true, transform: true }));
  },
  filter: (app) => {
    app.useGlobalFilters(new CatchAllFilter(app.get(HttpAdapterHost)));
  },
};

/** Sets the application up as hosts do which had other routes before they had an MCP endpoint. */
export function arrange(app: INestApplication, arrangements: Iterable<Arrangement>): void {
  for (const arrangement of arrangements) ARRANGE[arrangement](app);
}
