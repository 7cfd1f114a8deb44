import type { Entry, ListedKind } from '../catalog/catalog-entries.js';
import type { Reply } from '../reply.js';
import type { Revision } from '../revisions.js';
import type { CacheHints, PageSizes } from '../server-options.js';
import type { Method } from './method.js';
import { pageOf, startOf } from './page.js';

interface ListShape<K extends ListedKind> {
  readonly kind: K;
  /** Name of the list in the result, and in cursors. */
  readonly member: 'tools' | 'resources' | 'resourceTemplates' | 'prompts';
  readonly size: keyof PageSizes;
  readonly cache: keyof CacheHints;
}

type Entries = readonly Entry[];

function pageText(
  shape: ListShape<ListedKind>,
  entries: Entries,
  start: number,
  size: number,
  revision: Revision,
): string {
  const { items, next } = pageOf({ name: shape.member, items: entries }, start, size);
  return `"${shape.member}":[${items.map((entry) => entry.fragment(revision)).join(',')}]${next}`;
}

/** Pages of a list that is the same for every caller, made once per revision. Only starts of pages are kept. */
const prepared = new WeakMap<Entries, Map<Revision, Map<number, string>>>();

function preparedPage(
  shape: ListShape<ListedKind>,
  entries: Entries,
  start: number,
  size: number,
  revision: Revision,
): string {
  if (start % size !== 0) return pageText(shape, entries, start, size, revision);
  let revisions = prepared.get(entries);
  if (revisions === undefined) prepared.set(entries, (revisions = new Map<Revision, Map<number, string>>()));
  let pages = revisions.get(revision);
  if (pages === undefined) revisions.set(revision, (pages = new Map<number, string>()));
  let text = pages.get(start);
  if (text === undefined) pages.set(start, (text = pageText(shape, entries, start, size, revision)));
  return text;
}

function list<K extends ListedKind>(shape: ListShape<K>): Method {
  return async (request): Promise<Reply> => {
    const { resolver, options, call, context } = request;
    const size = options.pageSizes[shape.size];
    const cache = options.cache[shape.cache];
    if (resolver.uniform) {
      const entries: Entries = resolver.catalog.current.sections[shape.kind].entries;
      const start = startOf({ name: shape.member, items: entries }, request);
      return { members: preparedPage(shape, entries, start, size, call.revision), cache };
    }
    const entries: Entries = await resolver.list(shape.kind, context);
    const start = startOf({ name: shape.member, items: entries }, request);
    return { members: pageText(shape, entries, start, size, call.revision), cache };
  };
}

export const listMethods: readonly (readonly [string, Method])[] = [
  ['tools/list', list({ kind: 'tool', member: 'tools', size: 'tools', cache: 'tools' })],
  ['resources/list', list({ kind: 'resource', member: 'resources', size: 'resources', cache: 'resources' })],
  [
    'resources/templates/list',
    list({ kind: 'template', member: 'resourceTemplates', size: 'templates', cache: 'resources' }),
  ],
  ['prompts/list', list({ kind: 'prompt', member: 'prompts', size: 'prompts', cache: 'prompts' })],
];
