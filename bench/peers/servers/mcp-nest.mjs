// (f) @rekog/mcp-nest v2 as its README wires it. MODE=stateless|stateful|stdio, PLATFORM=express|fastify.
// Tools are decorated methods, 50 to a controller class (decorators applied by hand: no build step here).
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Module } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { McpController, McpStrategy, StdioTransport, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { zodTools } from '../../lib/tools-zod.mjs';

const mode = process.env.MODE ?? 'stateless';
const stdio = mode === 'stdio';
const tools = zodTools();
const controllers = [];
for (let i = 0; i < tools.length; i += 50) {
  const cls = { [`Tools${i}`]: class {} }[`Tools${i}`];
  McpController()(cls);
  for (const t of tools.slice(i, i + 50)) {
    const key = `m_${t.name}`;
    Object.defineProperty(cls.prototype, key, { value: t.handler, writable: true, configurable: true });
    Payload()(cls.prototype, key, 0);
    Tool({
      name: t.name,
      description: t.description,
      parameters: t.schema,
      annotations: { title: t.title, ...t.annotations },
    })(cls.prototype, key, Object.getOwnPropertyDescriptor(cls.prototype, key));
  }
  controllers.push(cls);
}
const mcp = new McpStrategy({
  name: 'bench',
  version: '1.0.0',
  transports: [stdio ? new StdioTransport() : new StreamableHttpTransport({ statefulMode: mode === 'stateful' })],
  logging: false,
});
class AppModule {}
Module({ controllers })(AppModule);

if (stdio) {
  const app = await NestFactory.createMicroservice(AppModule, { strategy: mcp, logger: false });
  await app.listen();
} else {
  const args = [AppModule];
  if (process.env.PLATFORM === 'fastify') args.push(new (await import('@nestjs/platform-fastify')).FastifyAdapter());
  const app = await NestFactory.create(...args, { logger: false });
  mcp.setHttpAdapter(app.getHttpAdapter());
  app.connectMicroservice({ strategy: mcp });
  await app.startAllMicroservices();
  await app.listen(+process.env.PORT, '127.0.0.1');
}
