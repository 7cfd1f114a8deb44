import { fileURLToPath } from 'node:url';

const MODERN = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'current',
    arguments: { place: 'Oslo' },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
};

const LEGACY = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'curl', version: '1' } },
};

function curl(url: string, body: object, headers: readonly string[] = []): string {
  const all = ['Content-Type: application/json', 'Accept: application/json, text/event-stream', ...headers];
  return [`curl -i ${url}`, ...all.map((header) => `-H '${header}'`), `-d '${JSON.stringify(body)}'`].join(' \\\n  ');
}

/** Lines to try the server by hand. */
export function instructions(url: string): string {
  const stdio = fileURLToPath(new URL('stdio.js', import.meta.url));
  return `
Call it yourself, as a client of revision 2026-07-28:

${curl(url, MODERN, ['MCP-Protocol-Version: 2026-07-28', 'Mcp-Method: tools/call', 'Mcp-Name: current'])}

Open a session as an older client does:

${curl(url, LEGACY)}

With the MCP Inspector:

npx -y @modelcontextprotocol/inspector@2.12.0 --cli ${url} --transport http --method tools/call --tool-name current --tool-arg place=Oslo

In a desktop client, over stdio:

${JSON.stringify({ mcpServers: { weather: { command: process.execPath, args: [stdio] } } }, undefined, 2)}`;
}
