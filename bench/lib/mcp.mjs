// Wire requests for the two protocol eras, as raw HTTP/1.1 text.
import { Conn, rpcOf, header } from './http.mjs';

export const LEGACY = '2025-06-18';
export const MODERN = '2026-07-28';

const envelope = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export class Wire {
  constructor({ url, era = LEGACY, headers = {} }) {
    const u = new URL(url);
    this.host = u.hostname;
    this.port = +u.port;
    this.path = u.pathname + u.search;
    this.era = era;
    this.extra = headers;
  }
  head(verb, extra = {}) {
    const h = {
      Host: `${this.host}:${this.port}`,
      Accept: verb === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
      ...(verb === 'POST' ? { 'Content-Type': 'application/json' } : {}),
      'MCP-Protocol-Version': this.era,
      ...this.extra,
      ...extra,
    };
    return (
      `${verb} ${this.path} HTTP/1.1\r\n` +
      Object.entries(h)
        .map(([k, v]) => `${k}: ${v}\r\n`)
        .join('')
    );
  }
  // Returns a function id -> whole request text. Ids have a fixed width, so lengths are constant.
  maker(method, params, session) {
    const modern = this.era === MODERN;
    const p = modern ? { ...params, _meta: envelope } : params;
    const h = this.head('POST', {
      ...(session ? { 'Mcp-Session-Id': session } : {}),
      ...(modern ? { 'Mcp-Method': method, ...(params.name ? { 'Mcp-Name': params.name } : {}) } : {}),
    });
    const tail = `,"method":${JSON.stringify(method)},"params":${JSON.stringify(p)}}`;
    const len = '{"jsonrpc":"2.0","id":1000000'.length + Buffer.byteLength(tail);
    const pre = `${h}Content-Length: ${len}\r\n\r\n{"jsonrpc":"2.0","id":`;
    return (id) => pre + id + tail;
  }
  notification(method, session) {
    const body = JSON.stringify({ jsonrpc: '2.0', method });
    return `${this.head('POST', session ? { 'Mcp-Session-Id': session } : {})}Content-Length: ${body.length}\r\n\r\n${body}`;
  }
  async open(session = false) {
    const c = await new Conn(this.host, this.port).connect();
    if (session) c.session = await this.initialize(c);
    return c;
  }
  async initialize(c) {
    const r = await c.request(
      this.maker('initialize', {
        protocolVersion: LEGACY,
        capabilities: {},
        clientInfo: { name: 'bench', version: '1.0.0' },
      })(1000000),
    );
    const m = rpcOf(r);
    if (r.status !== 200 || !m.result?.protocolVersion) throw new Error('initialize failed: ' + r.head + r.body);
    const sid = header(r, 'mcp-session-id');
    if (!sid) throw new Error('no session id: ' + r.head);
    const n = await c.request(this.notification('notifications/initialized', sid));
    if (n.status !== 202 && n.status !== 200 && n.status !== 204)
      throw new Error('initialized refused: ' + n.head + n.body);
    return sid;
  }
}

let text64;
export function bigText() {
  if (!text64) {
    const line = 'The quick brown fox jumps over the lazy dog 0123456789 "quoted" back\\slash tab\t.\n';
    text64 = line.repeat(Math.ceil(65536 / line.length)).slice(0, 65536);
  }
  return text64;
}

// One workload = method, params, and a check of the response (throws when wrong).
export const workloads = {
  echo: {
    method: 'tools/call',
    params: { name: 'echo', arguments: { text: 'hello, world' } },
    check(m) {
      if (m.result?.content?.[0]?.text !== 'hello, world')
        throw new Error('wrong result: ' + JSON.stringify(m).slice(0, 300));
    },
  },
  echo64k: {
    method: 'tools/call',
    get params() {
      return { name: 'echo', arguments: { text: bigText() } };
    },
    check(m) {
      if (m.result?.content?.[0]?.text !== bigText())
        throw new Error('wrong result: ' + JSON.stringify(m).slice(0, 300));
    },
  },
  list: {
    method: 'tools/list',
    params: {},
    sample: 10, // parse each 10th body in full, the others must have the same length
    check(m, { tools }) {
      const t = m.result?.tools;
      if (t?.length !== tools || (tools > 2 && Object.keys(t[tools - 1].inputSchema.properties).length !== 8))
        throw new Error(`wrong list: ${t?.length} tools, wanted ${tools}`);
    },
  },
};
