// This package as its README wires it; decorators applied by hand, as there is no build step here.
// PLATFORM=express|fastify, SESSIONS=memory|stateless, VISIBLE=1 (a rule per caller that shows everything), MODE=stdio.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { buildTools } from '../lib/tools-json.mjs';
import { McpModule, McpTool } from '../../dist/index.js';

const tools = buildTools();
class Tools {}
for (const { name, inputSchema, ...rest } of tools) {
  const key = `m_${name}`;
  const run =
    name === 'echo'
      ? ({ text }) => text
      : name === 'add'
        ? ({ a, b }) => String(a + b)
        : ({ query }) => `no match for ${query}`;
  Object.defineProperty(Tools.prototype, key, { value: run, writable: true, configurable: true });
  McpTool({ name, input: inputSchema, ...rest })(
    Tools.prototype,
    key,
    Object.getOwnPropertyDescriptor(Tools.prototype, key),
  );
}

const options = {
  server: { name: 'bench', version: '1.0.0' },
  allowedOrigins: [],
  guards: 'none',
  ...(process.env.SESSIONS === 'memory' ? {} : { sessions: 'stateless' }),
  ...(tools.length > 1000 ? { pageSize: { tools: tools.length } } : {}),
  ...(process.env.VISIBLE === '1' ? { visibility: () => true } : {}),
};
class AppModule {}
Module({ imports: [McpModule.forRoot(options)], providers: [Tools] })(AppModule);

if (process.env.MODE === 'stdio') {
  const { serveStdio } = await import('../../dist/stdio.js');
  await serveStdio(AppModule);
} else {
  const args = [AppModule];
  if (process.env.PLATFORM === 'fastify') args.push(new (await import('@nestjs/platform-fastify')).FastifyAdapter());
  const app = await NestFactory.create(...args, { logger: false });
  await app.listen(Number(process.env.PORT), '127.0.0.1');
}
