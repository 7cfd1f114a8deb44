import type { IncomingMessage } from 'node:http';
import type { McpCatalogSource } from '../entries/mcp-catalog-source.js';
import type { McpEntry } from '../entries/mcp-entries.js';
import type { McpModuleOptions, McpRawBodyCheck, McpVisibility } from './mcp-options.js';
import type { McpObserver } from '../telemetry/mcp-observer.js';
import { checkOptions } from './option-check.js';
import { isClassWith, listOf, method, objectWith, shape, type Report, type Rule } from './option-rules.js';
import type { Fault } from '../protocol/catalog/entries.js';
import type { Gate } from '../protocol/gate.js';
import type { McpLogger } from '../protocol/logger.js';

/** Options that need an application around them, or mean something else without one. */
type OfApplications =
  'guards' | 'globalGuards' | 'identity' | 'visibility' | 'rawBody' | 'gate' | 'observers' | 'sources';

/** Options of `McpServer.create`: those of `McpModule.forRoot` but for what needs an application. */
export interface McpServerOptions extends Omit<McpModuleOptions, OfApplications> {
  /** Everything offered at the start. */
  readonly entries: readonly McpEntry[];
  /**
   * The caller behind an HTTP request, before its body is read; `'none'` lets everybody in. `undefined`, `null`, `false`
   * or an empty text is nobody, and a throw is a refusal too: 401. What was thrown may have a `status` of another 4xx,
   * and a `challenge` for `WWW-Authenticate`; a `status` of 500 and more is a failure.
   */
  readonly authenticate: ((request: IncomingMessage) => unknown) | 'none';
  /** `WWW-Authenticate` of a 401; `error` is what `authenticate` threw, if it did. Default `Bearer`. */
  challenge?(request: IncomingMessage, error: unknown): string | undefined;
  readonly visibility?: McpVisibility['isVisible'];
  readonly rawBody?: McpRawBodyCheck['verify'];
  readonly gate?: Gate;
  readonly observers?: readonly McpObserver[];
  readonly sources?: readonly McpCatalogSource[];
  /** Default: errors and warnings go to stderr. */
  readonly logger?: McpLogger;
}

const OF_APPLICATIONS: readonly string[] = ['guards', 'globalGuards', 'identity'];

/** Without a container nobody makes an instance of it. */
const plain =
  (instanceMethod: string): Rule =>
  (value, path, report) => {
    if (isClassWith(value, instanceMethod)) report(path, 'must be a function: there is nobody to make instances');
  };

const listOfObjects =
  (instanceMethod: string): Rule =>
  (value, path, report) => {
    const classes = Array.isArray(value) ? value.map((item) => isClassWith(item, instanceMethod)) : [];
    classes.forEach((isClass, index) => {
      if (isClass) report(`${path}[${index}]`, 'must be an object: there is nobody to make instances');
    });
  };

const entry: Rule = (value, path, report) => {
  if (typeof value !== 'object' || value === null) report(path, 'must be an object');
};

const own = shape(
  {
    entries: listOf(entry),
    authenticate: (value, path, report) => {
      if (value !== 'none' && typeof value !== 'function') report(path, `must be 'none' or a function`);
    },
    challenge: method,
    logger: objectWith('error', 'warn', 'info', 'debug'),
    visibility: plain('isVisible'),
    rawBody: plain('verify'),
    gate: plain('decide'),
    observers: listOfObjects('onCall'),
    sources: listOfObjects('entries'),
  },
  ['entries', 'authenticate'],
);

const OWN: readonly string[] = ['entries', 'authenticate', 'challenge', 'logger'];

/** Everything wrong with the options of `McpServer.create`. */
export function checkServerOptions(value: unknown, source: string): readonly Fault[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return checkOptions(value, source);
  const given: Readonly<Record<string, unknown>> = { ...value };
  const faults: Fault[] = [];
  const report: Report = (path, message) => faults.push({ source, message: `option "${path}" ${message}` });
  const named = (names: readonly string[], wanted: boolean): Record<string, unknown> =>
    Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name) === wanted));
  for (const name of OF_APPLICATIONS) {
    if (given[name] !== undefined) report(name, 'is an option of McpModule: here it is "authenticate"');
  }
  own(named([...OWN, 'visibility', 'rawBody', 'gate', 'observers', 'sources'], true), '', report);
  const shared = { ...named([...OWN, ...OF_APPLICATIONS], false), guards: 'none' };
  faults.push(...checkOptions(shared, source));
  checkSharing(given, report);
  return faults;
}

/** `public` promises the same bytes to every caller (CACHE-05). */
function checkSharing({ cache, authenticate }: Readonly<Record<string, unknown>>, report: Report): void {
  if (typeof cache !== 'object' || cache === null || typeof authenticate !== 'function') return;
  for (const [list, hint] of Object.entries(cache) as [string, unknown][]) {
    if (typeof hint !== 'object' || hint === null || (hint as { scope?: unknown }).scope !== 'public') continue;
    report(`cache.${list}.scope`, `cannot be 'public' together with authenticate`);
  }
}
