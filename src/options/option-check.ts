import type { Fault } from '../protocol/catalog/entries.js';
import { REVISIONS } from '../protocol/revisions.js';
import {
  flag,
  isClassWith,
  listOf,
  method,
  methodOrClass,
  objectWith,
  oneOf,
  shape,
  text,
  wholeNumber,
  wordOr,
  type Report,
  type Rule,
} from './option-rules.js';
import { MODULE_EXTRAS } from './module-extras.js';
import { allowedHostFault, allowedOriginFault } from '../guards/allow-lists.js';

/** A day: longer waits are mistakes of unit. */
const DAY_MS = 86_400_000;
/** Node's timers are 32 bits wide. */
const LONGEST_TIMER = 2_147_483_647;
const SECRET_BYTES = 32;

/** What the front door itself can read. */
const said =
  (fault: (value: string) => string | undefined): Rule =>
  (value, path, report) => {
    const message = typeof value === 'string' ? fault(value) : 'must be a text';
    if (message !== undefined) report(path, message);
  };

const guard: Rule = (value, path, report) => {
  const usable = typeof value === 'function' ? isClassWith(value, 'canActivate') : hasCanActivate(value);
  if (usable) return;
  const name = typeof value === 'function' && value.name !== '' ? `: ${value.name} has none` : '';
  report(path, `must be a class or an object with canActivate()${name}`);
};

const classOrObjectWith =
  (name: string): Rule =>
  (value, path, report) => {
    if (typeof value !== 'function') objectWith(name)(value, path, report);
    else if (!isClassWith(value, name)) report(path, `must be a class or an object with ${name}()`);
  };

const guards: Rule = (value, path, report) => {
  if (Array.isArray(value) && value.length === 0) report(path, "must name a guard; write 'none' to let everybody in");
  else wordOr('none', listOf(guard))(value, path, report);
};

const secret: Rule = (value, path, report) => {
  const size = typeof value === 'string' ? Buffer.byteLength(value) : value instanceof Uint8Array ? value.length : -1;
  if (size < SECRET_BYTES) report(path, `must be text or bytes, at least ${SECRET_BYTES} bytes`);
};

const notEmpty =
  (rule: Rule): Rule =>
  (value, path, report) => {
    if (Array.isArray(value) && value.length === 0) report(path, 'must not be empty');
    else rule(value, path, report);
  };

const pageSize = wholeNumber(1, 100_000);
const cacheHint = shape({
  ttlMs: wholeNumber(0, Number.MAX_SAFE_INTEGER),
  scope: oneOf('public', 'private'),
});

const sessions: Rule = (value, path, report) => {
  if (value === 'stateless') return;
  if (typeof value !== 'object') return report(path, "must be an object or 'stateless'");
  shape({
    store: objectWith('create', 'load', 'touch', 'change', 'destroy'),
    idleMs: wholeNumber(1, 365 * DAY_MS),
    max: wholeNumber(1, 10_000_000),
    events: objectWith('append', 'after', 'drop'),
    ids: shape({ generate: method, validate: method, terminate: method }),
  })(value, path, report);
  const { store, idleMs, max } = { ...(value as Readonly<Record<string, unknown>>) };
  if (store !== undefined && (idleMs ?? max) !== undefined) {
    report(path, 'takes idleMs and max for the in-memory store alone: configure them in the given store');
  }
};

const tasks = shape({
  store: objectWith('create', 'get', 'list', 'update'),
  ttlMs: wholeNumber(1, 365 * DAY_MS),
  maxTtlMs: wholeNumber(1, 365 * DAY_MS),
  pollIntervalMs: wholeNumber(1, DAY_MS),
});

const serverInfo = shape(
  {
    name: text,
    version: text,
    title: text,
    description: text,
    websiteUrl: text,
    instructions: text,
    icons: listOf(shape({ src: text, mimeType: text, sizes: listOf(text), theme: oneOf('light', 'dark') }, ['src'])),
  },
  ['name', 'version'],
);

const options = shape(
  {
    server: (value, path, report) => {
      if (typeof value !== 'function') serverInfo(value, path, report);
    },
    allowedOrigins: wordOr('any', listOf(said(allowedOriginFault))),
    allowedHosts: notEmpty(listOf(said(allowedHostFault))),
    guards,
    globalGuards: oneOf('both', 'endpoint'),
    identity: method,
    identityKey: method,
    visibility: methodOrClass('isVisible'),
    sources: notEmpty(listOf(classOrObjectWith('entries'))),
    rawBody: methodOrClass('verify'),
    expose: shape({ tools: listOf(text) }, ['tools']),
    dispatch: method,
    // Whatever the host's `dispatch` needs.
    dispatchContext: () => undefined,
    core: method,
    revisions: notEmpty(listOf(oneOf(...REVISIONS.map(({ name }) => name)))),
    limits: shape({
      bodyBytes: wholeNumber(1, 1_073_741_824),
      bodyTimeoutMs: wholeNumber(1, DAY_MS),
      batchItems: wholeNumber(1, 10_000),
      requireContentLength: flag,
      streams: wholeNumber(1, 10_000_000),
      callTimeoutMs: wholeNumber(1, LONGEST_TIMER),
      maxOutputBytes: wholeNumber(1, 1_073_741_824),
      inFlight: wholeNumber(1, 10_000_000),
      inFlightPerCaller: wholeNumber(1, 10_000_000),
    }),
    pageSize: shape({ tools: pageSize, resources: pageSize, templates: pageSize, prompts: pageSize }),
    cache: shape({
      tools: cacheHint,
      resources: cacheHint,
      prompts: cacheHint,
      discover: cacheHint,
      read: cacheHint,
    }),
    sessions,
    statelessSessionId: method,
    tasks,
    skills: shape({ directory: text }, ['directory']),
    stateKeys: notEmpty(listOf(secret)),
    nonces: objectWith('spend', 'isSpent'),
    bus: objectWith('publish', 'subscribe'),
    questionTimeoutMs: wholeNumber(1, LONGEST_TIMER),
    confirmTimeoutMs: wholeNumber(1, LONGEST_TIMER),
    gate: methodOrClass('decide'),
    observers: notEmpty(listOf(classOrObjectWith('onCall'))),
    keepAliveMs: wholeNumber(1, LONGEST_TIMER),
    drainMs: wholeNumber(0, LONGEST_TIMER),
  },
  ['server', 'allowedOrigins', 'guards'],
);

/** Everything wrong with the options of one server. `source` names the call that gave them. */
export function checkOptions(value: unknown, source: string): readonly Fault[] {
  const faults: Fault[] = [];
  const report: Report = (path, message) => {
    faults.push({ source, message: path === '' ? `options ${message}` : `option "${path}" ${message}` });
  };
  options(value, '', report);
  if (typeof value === 'object' && value !== null) {
    checkSharing(value as Readonly<Record<string, unknown>>, report);
    checkCompanions(value as Readonly<Record<string, unknown>>, report);
  }
  return faults;
}

/** `public` promises the same bytes to every caller (CACHE-05): what depends on the caller cannot be. */
function checkSharing(
  { cache, guards: named, visibility, sources, server }: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  if (typeof cache !== 'object' || cache === null) return;
  const reasons = [
    ...(Array.isArray(named) && named.length > 0 ? ['guards'] : []),
    ...(visibility === undefined ? [] : ['visibility']),
    ...(sources === undefined ? [] : ['sources']),
    ...(typeof server === 'function' ? ['a server for each caller'] : []),
  ];
  if (reasons.length === 0) return;
  for (const [list, hint] of Object.entries(cache) as [string, unknown][]) {
    if (typeof hint !== 'object' || hint === null || (hint as { scope?: unknown }).scope !== 'public') continue;
    report(`cache.${list}.scope`, `cannot be 'public' together with ${reasons.join(' and ')}`);
  }
}

/** Options that mean nothing without another. */
function checkCompanions(given: Readonly<Record<string, unknown>>, report: Report): void {
  if (given['statelessSessionId'] !== undefined && given['sessions'] !== 'stateless') {
    report('statelessSessionId', "is for sessions: 'stateless' alone");
  }
  if (given['dispatchContext'] !== undefined && given['dispatch'] === undefined) {
    report('dispatchContext', 'is for the option "dispatch", which is not there');
  }
}

/** Everything wrong with what a function given as the option `server` answered. */
export function serverInfoFaults(value: unknown): readonly string[] {
  const faults: string[] = [];
  serverInfo(value, 'server', (path, message) => faults.push(`option "${path}" ${message}`));
  return faults;
}

function hasCanActivate(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && 'canActivate' in value && typeof value.canActivate === 'function'
  );
}

/** Everything wrong with what `forRoot` and `forRootAsync` take beside the options. */
export function checkExtras(value: Readonly<Record<string, unknown>>, source: string): readonly Fault[] {
  const faults: Fault[] = [];
  shape(MODULE_EXTRAS)(value, '', (path, message) => {
    faults.push({ source, message: `option "${path}" ${message}` });
  });
  return faults;
}
