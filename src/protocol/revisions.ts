/** What differs between protocol revisions, as data: no code elsewhere asks for a revision by name. */
export type RevisionName = '2025-03-26' | '2025-06-18' | '2025-11-25' | '2026-07-28';

export type Era = 'legacy' | 'modern';

export interface Revision {
  readonly name: RevisionName;
  readonly era: Era;
  /** Arrays of messages are messages (BASE-19, BASE-22). */
  readonly batches: boolean;
  /** `MCP-Protocol-Version` exists (HDR-21, HDR-24). */
  readonly versionHeader: boolean;
  /** `title` and `_meta` on tools, resources, templates and prompts (META-19, TOOL-07). */
  readonly titles: boolean;
  /** `icons` on entries; `description`, `websiteUrl` and `icons` on the server's identity (META-20, META-22). */
  readonly icons: boolean;
  /** Which structured results exist: none, objects under an object root (TOOL-16), any JSON value (TOOL-17). */
  readonly structured: 'none' | 'object' | 'any';
  /** `resource_link` content blocks (TOOL-23). */
  readonly resourceLinks: boolean;
  /** `audio` content blocks exist in every revision served here; `lastModified` annotations do not (META-23). */
  readonly lastModified: boolean;
  /** Boolean property schemas may be listed as they are (otherwise `{}` and `{"not":{}}`). */
  readonly booleanSchemas: boolean;
  /** Elicitation modes a server may use (ELIC-02, ELIC-03). */
  readonly elicitation: 'none' | 'form' | 'form-url';
  /** Whether a form question says `mode` (ELIC-04) and may use `default` everywhere and titled enums (ELIC-07, ELIC-08). */
  readonly richForms: boolean;
  /** URL questions carry an `elicitationId` (ELIC-14, ELIC-15). */
  readonly elicitationId: boolean;
  /** Sampling with tools and content arrays (SAMP-04, SAMP-07). */
  readonly samplingTools: boolean;
  /** `tasks` in core (LTASK), as extension (XTASK), or absent. */
  readonly tasks: 'none' | 'core' | 'extension';
  /** `completion/complete` has `context.arguments` (COMP-03). */
  readonly completionContext: boolean;
  /** Code of a missing resource (ERR-10, ERR-11). */
  readonly resourceNotFound: -32002 | -32602;
  /** HTTP status of an unknown method (HTTP-20, HTTP-21). */
  readonly unknownMethodStatus: 200 | 404;
  /** Results carry `resultType` and `_meta` with the server's identity; lists and reads carry cache hints (BASE-13, META-11, CACHE-01). */
  readonly envelope: boolean;
  /** SSE events carry ids, a priming event comes first, streams may be released early (RESM-01, RESM-05, SSE-07, SSE-10). */
  readonly eventIds: boolean;
  readonly primingEvents: boolean;
  /** The server may send requests of its own (BASE-16). */
  readonly serverRequests: boolean;
  /** Methods a client may call. */
  readonly methods: ReadonlySet<string>;
}

const COMMON = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];
const HANDSHAKE = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];

const march: Revision = {
  name: '2025-03-26',
  era: 'legacy',
  batches: true,
  versionHeader: false,
  titles: false,
  icons: false,
  structured: 'none',
  resourceLinks: false,
  lastModified: false,
  booleanSchemas: false,
  elicitation: 'none',
  richForms: false,
  elicitationId: false,
  samplingTools: false,
  tasks: 'none',
  completionContext: false,
  resourceNotFound: -32002,
  unknownMethodStatus: 200,
  envelope: false,
  eventIds: true,
  primingEvents: false,
  serverRequests: true,
  methods: new Set([...COMMON, ...HANDSHAKE]),
};

const june: Revision = {
  ...march,
  name: '2025-06-18',
  batches: false,
  versionHeader: true,
  titles: true,
  structured: 'object',
  resourceLinks: true,
  lastModified: true,
  elicitation: 'form',
  completionContext: true,
};

const november: Revision = {
  ...june,
  name: '2025-11-25',
  icons: true,
  elicitation: 'form-url',
  richForms: true,
  elicitationId: true,
  samplingTools: true,
  tasks: 'core',
  primingEvents: true,
  methods: new Set([...june.methods, 'tasks/get', 'tasks/result', 'tasks/list', 'tasks/cancel']),
};

const july: Revision = {
  ...november,
  name: '2026-07-28',
  era: 'modern',
  structured: 'any',
  booleanSchemas: true,
  elicitationId: false,
  tasks: 'extension',
  resourceNotFound: -32602,
  unknownMethodStatus: 404,
  envelope: true,
  eventIds: false,
  primingEvents: false,
  serverRequests: false,
  methods: new Set([
    ...COMMON,
    'server/discover',
    'subscriptions/listen',
    'tasks/get',
    'tasks/update',
    'tasks/cancel',
    'skills/list',
    'skills/get',
    'resources/directory/read',
  ]),
};

/** Newest first: the order of `supportedVersions` (VER-03). */
export const REVISIONS: readonly Revision[] = [july, november, june, march];

const byName = new Map<string, Revision>(REVISIONS.map((revision) => [revision.name, revision]));

export function findRevision(name: unknown): Revision | undefined {
  return typeof name === 'string' ? byName.get(name) : undefined;
}
