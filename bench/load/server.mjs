// The server that is hurt: its tools wait, throw, hang and answer nonsense on demand.
// PLATFORM=express|fastify, CAP=bytes of a body, BODY_MS=time for a body, IDLE_MS=idle time of a session, CALL_MS=time
// for a call, KEPT=sessions at once. `facts` is a tool; once the application is shut down they are in the file REPORT.
import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpModule, McpTool } from '../../dist/index.js';

const { env } = process;
const facts = { started: 0, ended: 0, aborted: 0, unhandled: 0 };
process.on('unhandledRejection', () => (facts.unhandled += 1));

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const wait = { type: 'object', properties: { ms: { type: 'integer', minimum: 0 } }, required: ['ms'] };
const form = { type: 'object', properties: { name: { type: 'string' } } };
const never = () => new Promise(() => undefined);

const tools = {
  echo: { input: text, run: (args) => args.text },
  /** Waits; counts the calls that began, ended, and were told to stop. */
  wait: {
    input: wait,
    async run({ ms }, { signal }) {
      facts.started += 1;
      await sleep(ms, undefined, { signal }).catch(() => (facts.aborted += 1));
      facts.ended += 1;
      return 'waited';
    },
  },
  /** Says something every few milliseconds, for so long. */
  talk: {
    input: wait,
    async run({ ms }, context) {
      facts.started += 1;
      for (let done = 1; done * 5 <= ms && !context.signal.aborted; done += 1) {
        context.progress(done, ms / 5, 'x'.repeat(200));
        await sleep(5);
      }
      if (context.signal.aborted) facts.aborted += 1;
      facts.ended += 1;
      return 'talked';
    },
  },
  throws: {
    run() {
      throw new TypeError('secret');
    },
  },
  rejects: { run: () => Promise.reject(new Error('secret')) },
  throwsNothing: {
    run() {
      throw undefined;
    },
  },
  hangs: { run: never },
  cycle: {
    run() {
      const value = { a: {} };
      value.a.b = value;
      return value;
    },
  },
  endless: {
    run: () => ({
      toJSON() {
        return { next: { ...this } };
      },
    }),
  },
  promises: { run: () => ({ never: never(), later: sleep(1) }) },
  /** Everything of the context that can fail, and nobody waits for it. */
  forgetful: {
    run(_, context) {
      void context.elicit({ message: 'Who?', schema: form });
      void context.roots();
      void context.sample({ messages: [], maxTokens: 1 });
      return 'forgot';
    },
  },
  facts: { run: () => ({ ...facts }) },
};

class Tools {
  // After it nothing of the application runs, and Nest ends the process by the signal it got.
  onApplicationShutdown() {
    if (env.REPORT !== undefined) writeFileSync(env.REPORT, JSON.stringify(facts));
  }
}
for (const [name, { input, run }] of Object.entries(tools)) {
  Tools.prototype[name] = run;
  McpTool({ name, description: name, ...(input === undefined ? {} : { input }) })(
    Tools.prototype,
    name,
    Object.getOwnPropertyDescriptor(Tools.prototype, name),
  );
}

const set = (name) => (env[name] === undefined ? undefined : Number(env[name]));
const given = (options) => Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
class AppModule {}
Module({
  imports: [
    McpModule.forRoot({
      server: { name: 'load', version: '1.0.0' },
      allowedOrigins: [],
      guards: 'none',
      limits: given({ bodyBytes: set('CAP'), bodyTimeoutMs: set('BODY_MS'), callTimeoutMs: set('CALL_MS') }),
      sessions: env.SESSIONS === 'memory' ? given({ idleMs: set('IDLE_MS'), max: set('KEPT') }) : 'stateless',
    }),
  ],
  providers: [Tools],
})(AppModule);

const args = [AppModule];
if (env.PLATFORM === 'fastify') args.push(new (await import('@nestjs/platform-fastify')).FastifyAdapter());
const app = await NestFactory.create(...args, { logger: false });
app.enableShutdownHooks();
await app.listen(Number(env.PORT), '127.0.0.1');
