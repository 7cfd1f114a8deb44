// (d) Official SDK v1. MODE=stateless (its simpleStatelessStreamableHttp example: new server and transport
// per request) | stateful (a transport per session) | stdio. JSON=1 sets enableJsonResponse.
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { zodTools } from '../../lib/tools-zod.mjs';

const getServer = () => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' }, { capabilities: { logging: {} } });
  for (const t of zodTools())
    server.registerTool(
      t.name,
      {
        title: t.title,
        description: t.description,
        inputSchema: process.env.HOIST === '0' ? t.shape : t.schema,
        annotations: t.annotations,
      },
      t.handler,
    );
  return server;
};

const json = process.env.JSON === '1';
if (process.env.MODE === 'stdio') {
  const { StdioServerTransport } = await import('@modelcontextprotocol/sdk/server/stdio.js');
  await getServer().connect(new StdioServerTransport());
} else {
  const { StreamableHTTPServerTransport } = await import('@modelcontextprotocol/sdk/server/streamableHttp.js');
  const { createMcpExpressApp } = await import('@modelcontextprotocol/sdk/server/express.js');
  const { isInitializeRequest } = await import('@modelcontextprotocol/sdk/types.js');
  const app = createMcpExpressApp();
  if (process.env.MODE === 'stateful') {
    const transports = {};
    const handler = async (req, res) => {
      const sid = req.headers['mcp-session-id'];
      let transport = sid && transports[sid];
      if (!transport) {
        if (sid || !isInitializeRequest(req.body)) {
          res
            .status(sid ? 404 : 400)
            .json({ jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request: No valid session ID' }, id: null });
          return;
        }
        transport = new StreamableHTTPServerTransport({
          sessionIdGenerator: () => randomUUID(),
          enableJsonResponse: json,
          onsessioninitialized: (id) => {
            transports[id] = transport;
          },
        });
        transport.onclose = () => {
          if (transport.sessionId) delete transports[transport.sessionId];
        };
        await getServer().connect(transport);
      }
      await transport.handleRequest(req, res, req.body);
    };
    app.post('/mcp', handler);
    app.get('/mcp', handler);
    app.delete('/mcp', handler);
  } else {
    app.post('/mcp', async (req, res) => {
      const server = getServer();
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: json });
      await server.connect(transport);
      await transport.handleRequest(req, res, req.body);
      res.on('close', () => {
        transport.close();
        server.close();
      });
    });
  }
  app.listen(+process.env.PORT, '127.0.0.1');
}
