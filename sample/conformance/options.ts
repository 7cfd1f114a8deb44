import { parseArgs } from 'node:util';

export const PLATFORMS = ['express', 'fastify'] as const;
export const SESSIONS = ['memory', 'stateless'] as const;
export const ARRANGEMENTS = ['prefix', 'wrap', 'validation', 'filter'] as const;

export type Platform = (typeof PLATFORMS)[number];
export type Sessions = (typeof SESSIONS)[number];
/** What a host application may bring along, and the endpoint must not suffer from. */
export type Arrangement = (typeof ARRANGEMENTS)[number];

export interface ConformanceOptions {
  readonly stdio: boolean;
  readonly port: number;
  readonly platform: Platform;
  /** Undefined: whatever the package does when it is not told. */
  readonly sessions: Sessions | undefined;
  /** The only bearer token let in; undefined lets everybody in. */
  readonly token: string | undefined;
  /** Origins allowed beside the server's own. */
  readonly origins: readonly string[];
  readonly nest: ReadonlySet<Arrangement>;
}

export const USAGE =
  'usage: main.js [--port N] [--platform express|fastify] [--sessions memory|stateless] [--auth TOKEN] ' +
  '[--origin URL] [--nest prefix|wrap|validation|filter] | --stdio';

/** One of the allowed words, or a complaint naming the option. */
function oneOf<Word extends string>(words: readonly Word[], given: string, option: string): Word {
  const found = words.find((word) => word === given);
  if (found === undefined) throw new Error(`--${option} must be one of ${words.join(', ')}`);
  return found;
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535) throw new Error('--port must be a number from 1 to 65535');
  return port;
}

/** The command line as options. Throws with a message for the user when it cannot be understood. */
export function readOptions(args: readonly string[]): ConformanceOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      stdio: { type: 'boolean', default: false },
      port: { type: 'string', default: '3000' },
      platform: { type: 'string', default: 'express' },
      sessions: { type: 'string' },
      auth: { type: 'string' },
      origin: { type: 'string', multiple: true, default: [] },
      nest: { type: 'string', multiple: true, default: [] },
    },
  });
  if (values.auth === '') throw new Error('--auth needs a token');
  return {
    stdio: values.stdio,
    port: portOf(values.port),
    platform: oneOf(PLATFORMS, values.platform, 'platform'),
    sessions: values.sessions === undefined ? undefined : oneOf(SESSIONS, values.sessions, 'sessions'),
    token: values.auth,
    origins: values.origin,
    nest: new Set(values.nest.flatMap((list) => list.split(',')).map((word) => oneOf(ARRANGEMENTS, word, 'nest'))),
  };
}
