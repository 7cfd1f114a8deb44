// (g) npm fastmcp. MODE=stateless|stateful|stdio, JSON=1 sets enableJsonResponse.
import { FastMCP } from 'fastmcp';
import { zodTools } from '../../lib/tools-zod.mjs';

const mode = process.env.MODE ?? 'stateless';
const server = new FastMCP({ name: 'bench', version: '1.0.0', ping: { enabled: false } });
for (const t of zodTools())
  server.addTool({
    name: t.name,
    description: t.description,
    parameters: t.schema,
    annotations: { title: t.title, ...t.annotations },
    execute: (args) => t.handler(args),
  });
if (mode === 'stdio') await server.start({ transportType: 'stdio' });
else
  await server.start({
    transportType: 'httpStream',
    httpStream: {
      port: +process.env.PORT,
      host: '127.0.0.1',
      endpoint: '/mcp',
      stateless: mode === 'stateless',
      enableJsonResponse: process.env.JSON === '1',
    },
  });
