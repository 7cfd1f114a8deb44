import { createServer } from 'node:http';
import { McpServer } from 'nestjs-mcp/server';

const mcp = await McpServer.create({
  server: { name: 'clock', version: '1.0.0' },
  allowedOrigins: [],
  authenticate: 'none',
  entries: [
    {
      kind: 'tool',
      name: 'now',
      description: 'The time at this server',
      handler: () => new Date().toISOString(),
    },
  ],
});

const handler = mcp.toNodeHandler();
createServer(handler)
  .on('checkContinue', handler.checkContinue)
  .listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1');
