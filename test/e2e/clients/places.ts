import { afterAll, beforeAll } from 'vitest';
import { start, type Running } from '../nest-app.js';
import { libraryModule } from './app/app.module.js';
import { builtApp } from './built-app.js';
import type { Place } from './official-clients.js';

export const PLACES = ['express', 'fastify', 'stdio'] as const;
export type PlaceName = (typeof PLACES)[number];

/** The application on both platforms, and built for processes of its own, for the tests of one file. */
export function places(): (name: PlaceName) => Place {
  const entry = builtApp();
  const running: Partial<Record<PlaceName, Running>> = {};
  beforeAll(async () => {
    running.express = await start('express', libraryModule());
    running.fastify = await start('fastify', libraryModule());
  });
  afterAll(async () => {
    await running.express?.app.close();
    await running.fastify?.app.close();
  });
  return (name) => {
    const http = running[name];
    return http === undefined ? { entry } : { url: http.url() };
  };
}
