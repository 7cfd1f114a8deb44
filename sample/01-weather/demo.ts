// Starts the server, calls it once with the official client, and keeps serving; with --once it ends after the call.
import { createServer, type AddressInfo } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { NestFactory } from '@nestjs/core';
import { AppModule } from './app.module.js';
import { instructions } from './instructions.js';

const HOST = '127.0.0.1';

/** The wanted port, or any that is free when another program listens on it. */
function availablePort(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE' && wanted !== 0) resolve(availablePort(0));
      else reject(error);
    });
    probe.listen(wanted, HOST, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

async function callOnce(url: string): Promise<void> {
  const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  try {
    const { tools } = await client.listTools();
    const result = await client.callTool({ name: 'current', arguments: { place: 'Berlin' } });
    const [block] = result.content;
    console.log(
      `Revision ${client.getNegotiatedProtocolVersion()}, tools: ${tools.map(({ name }) => name).join(', ')}`,
    );
    console.log(`current(place: "Berlin") answers: ${block?.type === 'text' ? block.text : 'nothing'}`);
  } finally {
    await client.close();
  }
}

const app = await NestFactory.create(AppModule, { forceCloseConnections: true, logger: ['error', 'warn'] });
app.enableShutdownHooks();
const port = await availablePort(Number(process.env['PORT'] ?? 3000));
await app.listen(port, HOST);
const url = `http://${HOST}:${port}/mcp`;
console.log(`An MCP server listens on ${url}`);
await callOnce(url);
console.log(instructions(url));
if (process.argv.includes('--once')) await app.close();
else console.log('\nServing until Ctrl-C.');
