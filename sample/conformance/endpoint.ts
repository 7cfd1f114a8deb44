import type { ConformanceOptions } from './options.js';

export const HOST = '127.0.0.1';
export const PREFIX = 'api';

type Where = Pick<ConformanceOptions, 'port' | 'nest'>;

export function originOf({ port }: Where): string {
  return `http://${HOST}:${port}`;
}

/** Path of the endpoint, with the application's global prefix where it has one. */
export function pathOf({ nest }: Where): string {
  return nest.has('prefix') ? `/${PREFIX}/mcp` : '/mcp';
}

export function endpointOf(where: Where): string {
  return originOf(where) + pathOf(where);
}
