/** A message that is valid in its era, before anything is done to it. */
export interface ValidMessage {
  readonly era: 'modern' | 'legacy';
  readonly message: Readonly<Record<string, unknown>>;
}

type Params = Readonly<Record<string, unknown>>;

const COMMON: readonly (readonly [method: string, params: Params])[] = [
  ['tools/list', {}],
  ['tools/call', { name: 'join', arguments: { left: 'foot', right: 'note' } }],
  ['tools/call', { name: 'volume', arguments: { number: 3 } }],
  ['tools/call', { name: 'echo', arguments: { text: 'hello', ms: 1 }, _meta: { progressToken: 'p' } }],
  ['tools/call', { name: 'announce' }],
  ['tools/call', { name: 'update', arguments: { uri: 'library://rules' } }],
  ['resources/list', {}],
  ['resources/templates/list', {}],
  ['resources/read', { uri: 'library://rules' }],
  ['resources/read', { uri: 'library://shelf/tides' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'plan', arguments: { topic: 'tides' } }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'topic', value: 't' } }],
];

const CLIENT_INFO = { name: 'hostile', version: '1.0.0' };

const MODERN: readonly (readonly [method: string, params: Params])[] = [
  ...COMMON,
  ['server/discover', {}],
  ['subscriptions/listen', { notifications: { toolsListChanged: true, resourceSubscriptions: ['library://rules'] } }],
];

const LEGACY: readonly (readonly [method: string, params: Params])[] = [
  ...COMMON,
  ['initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: CLIENT_INFO }],
  ['ping', {}],
  ['logging/setLevel', { level: 'warning' }],
  ['resources/subscribe', { uri: 'library://rules' }],
  ['resources/unsubscribe', { uri: 'library://rules' }],
];

function enveloped(params: Params): Params {
  return {
    ...params,
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': CLIENT_INFO,
      'io.modelcontextprotocol/clientCapabilities': {},
      ...(params['_meta'] as object | undefined),
    },
  };
}

export const VALID: readonly ValidMessage[] = [
  ...MODERN.map(([method, params], index) => ({
    era: 'modern' as const,
    message: { jsonrpc: '2.0', id: `m${index}`, method, params: enveloped(params) },
  })),
  ...LEGACY.map(([method, params], index) => ({
    era: 'legacy' as const,
    message: { jsonrpc: '2.0', id: index, method, params },
  })),
  { era: 'legacy', message: { jsonrpc: '2.0', method: 'notifications/initialized' } },
  { era: 'legacy', message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } } },
  { era: 'modern', message: { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'm3' } } },
  { era: 'legacy', message: { jsonrpc: '2.0', id: 'asked', result: { action: 'accept', content: {} } } },
];

/** What `SESSION` in a header stands for is known only when the request is sent. */
export const SESSION = '{session}';

/** The headers that go with a valid message. */
export function headersOf({ era, message }: ValidMessage): Record<string, string> {
  const common = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  if (era === 'legacy') {
    const opening = message['method'] === 'initialize';
    return { ...common, 'mcp-protocol-version': '2025-11-25', ...(opening ? {} : { 'mcp-session-id': SESSION }) };
  }
  const { method, params } = message as { method: string; params?: Params };
  const name = method === 'tools/call' || method === 'prompts/get' ? params?.['name'] : undefined;
  const uri = method === 'resources/read' ? params?.['uri'] : undefined;
  const mirrored = name ?? uri;
  return {
    ...common,
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof mirrored === 'string' ? { 'mcp-name': mirrored } : {}),
  };
}
