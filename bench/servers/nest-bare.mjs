// (b, c) A bare Nest controller doing the same fixed-shape JSON answer. PLATFORM=express|fastify.
// MODE=return: the handler returns an object (Nest serializes it);
// MODE=res:    the handler takes @Res() and ends the node response itself with a string.
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { Body, Controller, HttpCode, Module, Post, Res } from '@nestjs/common';
import { buildTools } from '../lib/tools-json.mjs';

const tools = buildTools();
const cached = process.env.CACHED === '1' ? JSON.stringify({ tools }) : null;
const fastify = process.env.PLATFORM === 'fastify';

class McpController {
  handle(m) {
    if (m.method === 'tools/list') return { jsonrpc: '2.0', id: m.id, result: { tools } };
    return { jsonrpc: '2.0', id: m.id, result: { content: [{ type: 'text', text: m.params.arguments.text }] } };
  }
  handleRes(m, res) {
    const out =
      cached && m.method === 'tools/list'
        ? `{"jsonrpc":"2.0","id":${JSON.stringify(m.id)},"result":${cached}}`
        : JSON.stringify(this.handle(m));
    if (fastify) res.hijack();
    (res.raw ?? res)
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(out) })
      .end(out);
  }
}
const P = McpController.prototype;
const method = process.env.MODE === 'res' ? 'handleRes' : 'handle';
const d = Object.getOwnPropertyDescriptor(P, method);
Controller('mcp')(McpController);
Post()(P, method, d);
HttpCode(200)(P, method, d);
Body()(P, method, 0);
if (method === 'handleRes') Res()(P, method, 1);

class AppModule {}
Module({ controllers: [McpController] })(AppModule);

const args = [AppModule];
if (fastify) args.push(new (await import('@nestjs/platform-fastify')).FastifyAdapter());
const app = await NestFactory.create(...args, { logger: false });
await app.listen(+process.env.PORT, '127.0.0.1');
