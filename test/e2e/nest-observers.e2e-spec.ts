import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Inject, Injectable, Scope } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import * as api from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  confirm,
  deny,
  McpCompletion,
  McpError,
  McpPrompt,
  McpResourceTemplate,
  McpTool,
  McpToolError,
  type McpCallEvent,
  type McpModuleOptions,
  type McpObserver,
} from 'nestjs-mcp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, callTool, legacy, modern, PLATFORMS, post, start, type Running } from './nest-app.js';
import { hostModule, type HostParts } from './nest-fixture.js';

const MARKER = 'PLANTED';
const TEXT = { type: 'object', properties: { text: { type: 'string' } } } as const;

@Injectable()
class Library {
  @McpTool({ input: TEXT })
  repeat({ text }: { text: string }): unknown {
    return { said: text };
  }

  @McpTool({ input: TEXT })
  crash({ text }: { text: string }): never {
    throw Object.assign(new RangeError(text), { name: text });
  }

  @McpTool({ input: TEXT })
  tell({ text }: { text: string }): never {
    throw new McpToolError(text, { text });
  }

  @McpTool({ input: TEXT })
  refuse({ text }: { text: string }): never {
    throw new McpError(4711, text, { text });
  }

  @McpTool({ input: TEXT, gate: (_context, _tool, args) => deny(String(args['text'])) })
  denied(): void {}

  @McpTool({ input: TEXT, gate: (_context, _tool, args) => confirm(String(args['text']), args) })
  confirmed(): void {}

  @McpResourceTemplate({ uriTemplate: 'lib://book/{id}' })
  book({ id }: { id: string }): string {
    return id;
  }

  @McpPrompt({ input: { type: 'object', properties: { text: { type: 'string' } } } })
  ask({ text }: { text: string }): string {
    return text;
  }

  @McpCompletion({ prompt: 'ask', argument: 'text' })
  words(value: string): string[] {
    return [value];
  }
}

const CHANNELS = ['start', 'stop', 'exception'].map((name) => `nestjs-mcp:dispatch:${name}`);

/** Everything anybody can see of calls from outside. */
class Everything {
  readonly events: McpCallEvent[] = [];
  readonly published: unknown[] = [];
  readonly spans = new InMemorySpanExporter();
  readonly #metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  readonly #meters = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: this.#metrics, exportIntervalMillis: 3_600_000 })],
  });
  readonly #listener = (message: unknown): void => void this.published.push(message);

  watch(): void {
    for (const name of CHANNELS) subscribe(name, this.#listener);
    const processor = new SimpleSpanProcessor(this.spans);
    api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    api.metrics.setGlobalMeterProvider(this.#meters);
  }

  async end(): Promise<void> {
    for (const name of CHANNELS) unsubscribe(name, this.#listener);
    api.trace.disable();
    api.metrics.disable();
    await this.#meters.shutdown();
  }

  /** As text, symbols and prototypes aside. */
  async text(): Promise<string> {
    await this.#meters.forceFlush();
    const finished = this.spans.getFinishedSpans().map(({ name, attributes, status, events, links, resource }) => ({
      name,
      attributes,
      status,
      events,
      links,
      resource: resource.attributes,
    }));
    return JSON.stringify([this.events, this.published, finished, this.#metrics.getMetrics()]);
  }
}

describe('whatever a caller or a handler says', () => {
  const everything = new Everything();
  let running: Running;

  beforeAll(async () => {
    everything.watch();
    const options = { observers: [{ onCall: (event: McpCallEvent) => void everything.events.push(event) }] };
    running = await start('express', hostModule({ options, providers: [Library] }));
  });

  afterAll(async () => {
    await running.app.close();
    await everything.end();
  });

  it('is in no event, no message of a channel, no span and no metric', async () => {
    const url = running.url();
    const headers = { authorization: `Bearer ${MARKER}`, 'x-marker': MARKER, cookie: `a=${MARKER}` };
    const tools = ['repeat', 'crash', 'tell', 'refuse', 'denied', 'confirmed'];
    const said: string[] = [];
    for (const name of tools) {
      const response = await post(url, legacy('tools/call', { name, arguments: { text: MARKER } }, MARKER), headers);
      said.push(await response.text());
    }
    for (const [method, params] of [
      ['resources/read', { uri: `lib://book/${MARKER}` }],
      ['prompts/get', { name: 'ask', arguments: { text: MARKER } }],
      ['completion/complete', { ref: { type: 'ref/prompt', name: 'ask' }, argument: { name: 'text', value: MARKER } }],
    ] as const) {
      said.push(await (await post(url, legacy(method, params, MARKER), headers)).text());
    }
    // What was not found or not accepted is nobody's to see.
    await post(url, legacy('tools/call', { name: MARKER }), headers);
    await post(url, legacy('resources/read', { uri: `none://${MARKER}` }), headers);
    await post(url, legacy('tools/call', { name: 'repeat', arguments: { text: [MARKER] } }), headers);
    await modern(url, 'tools/call', { name: 'repeat', arguments: { text: MARKER } });

    expect(said.every((answer) => answer.includes(MARKER))).toBe(true);
    expect(everything.events.map(({ name, decision, error, code }) => [name, decision, error, code])).toEqual([
      ['repeat', 'none', undefined, undefined],
      ['crash', 'none', 'RangeError', undefined],
      ['tell', 'none', 'tool_error', undefined],
      ['refuse', 'none', '4711', 4711],
      ['denied', 'deny', 'denied', undefined],
      ['confirmed', 'confirm', undefined, undefined],
      ['book', 'none', undefined, undefined],
      ['ask', 'none', undefined, undefined],
      ['ask', 'none', undefined, undefined],
      ['repeat', 'none', undefined, undefined],
    ]);
    expect(everything.published).toHaveLength(20);
    expect(everything.spans.getFinishedSpans()).toHaveLength(10);
    const text = await everything.text();
    expect(text).toContain('mcp.server.operation.duration');
    expect(text).not.toContain(MARKER);
  });
});

describe.each(PLATFORMS)('on %s', (platform) => {
  async function serving<T>(
    options: Partial<McpModuleOptions>,
    check: (running: Running) => Promise<T>,
    parts: HostParts = {},
  ): Promise<T> {
    const running = await start(platform, hostModule({ ...parts, options }));
    try {
      return await check(running);
    } finally {
      await running.app.close();
    }
  }

  it('observers are objects, or classes of the container, and know who called', async () => {
    const events: McpCallEvent[] = [];

    @Injectable()
    class Audit {
      readonly lines: string[] = [];
    }
    @Injectable()
    class Observer implements McpObserver {
      constructor(private readonly audit: Audit) {}

      async onCall({ name, identityKey }: McpCallEvent): Promise<void> {
        this.audit.lines.push(`${identityKey} called ${name}`);
      }
    }
    @Injectable({ scope: Scope.REQUEST })
    class PerRequest implements McpObserver {
      constructor(
        @Inject(REQUEST) private readonly request: { headers: Record<string, string> },
        private readonly audit: Audit,
      ) {}

      onCall({ name }: McpCallEvent): void {
        this.audit.lines.push(`${name} of ${this.request.headers['x-who']}`);
      }
    }
    const options: Partial<McpModuleOptions> = {
      identity: (request) => (request as { headers: Record<string, string> }).headers['x-who'],
      observers: [{ onCall: (event) => void events.push(event) }, Observer, PerRequest],
    };
    await serving(
      options,
      async ({ app, url }) => {
        expect(await callTool(url(), 'echo', { text: 'é' }, { 'x-who': 'ada' })).toBe('é');
        await new Promise((resolve) => setImmediate(resolve));
        expect(events).toMatchObject([
          {
            server: 'test',
            method: 'tools/call',
            kind: 'tool',
            name: 'echo',
            source: 'Echo.echo',
            transport: 'http',
            revision: '2025-06-18',
            isError: false,
            resultBytes: Buffer.byteLength('{"content":[{"type":"text","text":"é"}],"isError":false}'),
            decision: 'none',
            identity: 'ada',
            identityKey: 'ada',
            sessionId: undefined,
          },
        ]);
        expect(app.get(Audit).lines).toEqual(['ada called echo', 'echo of ada']);
      },
      { providers: [Audit, Observer, PerRequest] },
    );
  });

  it('an observer that fails changes no answer', async () => {
    const fail = (): never => {
      throw new Error('no');
    };
    const observers = [{ onCall: fail }, { onCall: async () => fail() }];
    await serving({ observers }, async ({ url }) => expect(await callTool(url(), 'echo', { text: 'x' })).toBe('x'));
  });

  it('a class that cannot be had is a fault of the boot', async () => {
    class Nowhere {
      constructor(@Inject('NOTHING') readonly nothing: unknown) {}
      onCall(): void {}
    }
    await expect(serving({ observers: [Nowhere] }, async () => undefined)).rejects.toThrow('option "observers[0]"');
  });

  it('calls beyond the bounds of the server are refused with a hint', async () => {
    let open = (): void => undefined;
    const opened = new Promise<void>((resolve) => (open = resolve));

    @Injectable()
    class Slow {
      @McpTool()
      async wait(): Promise<string> {
        await opened;
        return 'done';
      }
    }
    const options: Partial<McpModuleOptions> = {
      identity: (request) => (request as { headers: Record<string, string> }).headers['x-who'],
      limits: { inFlight: 2, inFlightPerCaller: 1 },
    };
    await serving(
      options,
      async ({ url }) => {
        const wait = legacy('tools/call', { name: 'wait' });
        const running = [post(url(), wait, { 'x-who': 'ada' }), post(url(), wait, { 'x-who': 'bob' })];
        await new Promise((resolve) => setTimeout(resolve, 100));
        const own = await post(url(), wait, { 'x-who': 'ada' });
        expect([own.status, own.headers.get('retry-after')]).toEqual([429, '1']);
        expect(await own.json()).toEqual({
          jsonrpc: '2.0',
          id: 1,
          error: {
            code: -32603,
            message: 'You have too many calls running: try again in 1 s',
            data: { retryAfterMs: 1_000 },
          },
        });
        const all = await post(url(), wait, { 'x-who': 'eve' });
        expect([all.status, all.headers.get('retry-after')]).toEqual([503, '1']);
        expect((await call(url(), 'tools/list')).result).toBeDefined();
        open();
        expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
        expect((await post(url(), wait, { 'x-who': 'eve' })).status).toBe(200);
      },
      { providers: [Slow] },
    );
  });

  it('a method that never answers does not hold its caller', async () => {
    const aborted: unknown[] = [];

    @Injectable()
    class Slow {
      @McpTool({ timeoutMs: 30 })
      never(_args: object, { signal }: { signal: AbortSignal }): Promise<void> {
        signal.addEventListener('abort', () => aborted.push(signal.reason));
        return new Promise(() => undefined);
      }

      @McpTool({ maxOutputBytes: 50 })
      long(): string {
        return 'x'.repeat(51);
      }
    }
    await serving(
      { limits: { callTimeoutMs: 60_000, maxOutputBytes: 1_000 } },
      async ({ url }) => {
        expect(await callTool(url(), 'never')).toBe('never: No result within 30 ms');
        expect(aborted).toHaveLength(1);
        expect(await callTool(url(), 'long')).toBe('long: The result is longer than 50 bytes: ask for less');
        expect(await callTool(url(), 'echo', { text: 'x'.repeat(1_000) })).toContain('longer than 1000 bytes');
        expect(await callTool(url(), 'echo', { text: 'x' })).toBe('x');
      },
      { providers: [Slow] },
    );
  });
});
