// (e) Official SDK v2. MODE=stateless (createMcpHandler on Express, docs/serving/express.md) |
// node (the same on plain node:http, docs/serving/http.md) | stateful (docs/serving/sessions-state-scaling.md) | stdio.
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/server';
import { zodTools } from '../../lib/tools-zod.mjs';

const build = () => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const t of zodTools())
    server.registerTool(
      t.name,
      { title: t.title, description: t.description, inputSchema: t.schema, annotations: t.annotations },
      t.handler,
    );
  return server;
};

const mode = process.env.MODE ?? 'stateless';
const port = +process.env.PORT;
if (mode === 'stdio') {
  const { serveStdio } = await import('@modelcontextprotocol/server/stdio');
  serveStdio(build);
} else if (mode === 'node') {
  const { createServer } = await import('node:http');
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { toNodeHandler, localhostHostValidation, localhostOriginValidation } =
    await import('@modelcontextprotocol/node');
  const node = toNodeHandler(createMcpHandler(build));
  const host = localhostHostValidation();
  const origin = localhostOriginValidation();
  createServer((req, res) => {
    if (!host(req, res) || !origin(req, res)) return;
    void node(req, res);
  }).listen(port, '127.0.0.1');
} else {
  const { createMcpExpressApp } = await import('@modelcontextprotocol/express');
  const app = createMcpExpressApp();
  if (mode === 'stateful') {
    const { NodeStreamableHTTPServerTransport } = await import('@modelcontextprotocol/node');
    const { isInitializeRequest } = await import('@modelcontextprotocol/server');
    const sessions = new Map();
    const route = async (req, res) => {
      const sid = req.headers['mcp-session-id'];
      if (sid && sessions.has(sid)) return void (await sessions.get(sid).handleRequest(req, res, req.body));
      if (!sid && isInitializeRequest(req.body)) {
        const transport = new NodeStreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          enableJsonResponse: process.env.JSON === '1',
          onsessioninitialized: (id) => {
            sessions.set(id, transport);
          },
        });
        transport.onclose = () => {
          if (transport.sessionId) sessions.delete(transport.sessionId);
        };
        await build().connect(transport);
        await transport.handleRequest(req, res, req.body);
        return;
      }
      res
        .status(sid ? 404 : 400)
        .json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null });
    };
    app.post('/mcp', route);
    app.get('/mcp', route);
    app.delete('/mcp', route);
  } else {
    const { createMcpHandler } = await import('@modelcontextprotocol/server');
    const { toNodeHandler } = await import('@modelcontextprotocol/node');
    const node = toNodeHandler(createMcpHandler(build));
    app.all('/mcp', (req, res) => void node(req, res, req.body));
  }
  app.listen(port, '127.0.0.1');
}
