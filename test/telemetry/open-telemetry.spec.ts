import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type HistogramMetricData,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTelemetry, openTelemetryApi } from '../../src/telemetry/open-telemetry.js';
import type { CallTelemetry, StartFacts } from '../../src/telemetry/call-observation.js';
import { BADLY, startOf, WELL } from '../assembly/call-start.js';

const FACTS: StartFacts = {
  server: 'test',
  method: 'tools/call',
  kind: 'tool',
  name: 'search',
  source: 'Tools.search',
  transport: 'http',
  revision: '2026-07-28',
};
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';
const REMOTE = { traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'congo=1' };

const spans = new InMemorySpanExporter();
let metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);

/** Registers an SDK as an application would. */
function registerTracing(): void {
  api.trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  api.context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
}

function registerMetrics(): MeterProvider {
  metrics = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  api.metrics.setGlobalMeterProvider(provider);
  return provider;
}

function startSpan(telemetry: CallTelemetry, facts: Partial<StartFacts> = {}, meta = {}) {
  return telemetry.begin({ ...FACTS, ...facts }, startOf({ meta }).context);
}

let telemetry: CallTelemetry;

beforeEach(() => {
  spans.reset();
  telemetry = callTelemetry(api);
});

afterEach(() => {
  api.trace.disable();
  api.metrics.disable();
  api.context.disable();
});

describe('the API', () => {
  it('is found where it is installed', () => {
    expect(openTelemetryApi()?.trace).toBe(api.trace);
  });

  it('without an SDK listens to nothing', () => {
    expect(telemetry.listened).toBe(false);
  });

  it('is heard once an SDK is registered, however late', () => {
    registerTracing();
    expect(telemetry.listened).toBe(true);
    api.trace.disable();
    expect(callTelemetry(api).listened).toBe(false);
  });
});

describe('the span of a call', () => {
  beforeEach(registerTracing);

  it('has the names of the MCP conventions', () => {
    startSpan(telemetry).end(WELL, 5);
    const [span] = spans.getFinishedSpans();
    expect(span).toMatchObject({ name: 'tools/call search', kind: api.SpanKind.SERVER, status: { code: 0 } });
    expect(span?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'jsonrpc.request.id': '1',
    });
    expect(span?.links).toEqual([]);
  });

  it.each<[Partial<StartFacts>, string, Record<string, string>]>([
    [{ method: 'prompts/get', kind: 'prompt', name: 'ask' }, 'prompts/get ask', { 'gen_ai.prompt.name': 'ask' }],
    [{ method: 'resources/read', kind: 'template', name: 'page' }, 'resources/read', {}],
    [{ method: 'completion/complete', kind: 'completion', name: 'ask' }, 'completion/complete', {}],
  ])('over stdio, of %j', (facts, name, attributes) => {
    startSpan(telemetry, { ...facts, transport: 'stdio' }).end(WELL, 5);
    const [span] = spans.getFinishedSpans();
    expect(span?.name).toBe(name);
    expect(span?.attributes).toEqual({
      'mcp.method.name': facts.method,
      'mcp.protocol.version': '2026-07-28',
      'network.transport': 'pipe',
      'jsonrpc.request.id': '1',
      ...attributes,
    });
  });

  it('says how the call failed, in no words of anybody', () => {
    startSpan(telemetry).end(BADLY, 5);
    startSpan(telemetry).end({ ...BADLY, code: -32603 }, 5);
    startSpan(telemetry).end({ ...BADLY, error: 'cancelled' }, 5);
    const finished = spans.getFinishedSpans();
    expect(finished.map(({ status }) => status)).toEqual([{ code: 2 }, { code: 2 }, { code: 2 }]);
    expect(finished.map(({ attributes }) => attributes['error.type'])).toEqual(['tool_error', '-32603', 'cancelled']);
    expect(finished[1]?.attributes).toMatchObject({ 'rpc.response.status_code': '-32603' });
    expect(finished.flatMap(({ events }) => events)).toEqual([]);
  });

  it('is current while the host’s code runs', async () => {
    const call = startSpan(telemetry);
    await call.run(async () => {
      await Promise.resolve();
      api.trace.getTracer('host').startSpan('query').end();
    });
    call.end(WELL, 5);
    const [query, span] = spans.getFinishedSpans();
    expect(query?.parentSpanContext?.spanId).toBe(span?.spanContext().spanId);
  });

  it('continues the trace of the caller', () => {
    startSpan(telemetry, {}, REMOTE).end(WELL, 5);
    const [span] = spans.getFinishedSpans();
    expect(span?.spanContext().traceId).toBe(TRACE);
    expect(span?.parentSpanContext).toMatchObject({ spanId: SPAN, isRemote: true });
    expect(span?.spanContext().traceState?.serialize()).toBe('congo=1');
  });

  it('links what was going on here when it continues another trace', () => {
    const http = api.trace.getTracer('http').startSpan('POST /mcp');
    api.context.with(api.trace.setSpan(api.context.active(), http), () => {
      startSpan(telemetry, {}, REMOTE).end(WELL, 5);
      startSpan(telemetry, {}, { traceparent: 'nonsense' }).end(WELL, 5);
    });
    const [remote, local] = spans.getFinishedSpans();
    expect(remote?.links.map(({ context }) => context)).toEqual([http.spanContext()]);
    expect(local?.parentSpanContext?.spanId).toBe(http.spanContext().spanId);
    expect(local?.links).toEqual([]);
  });
});

describe('the histogram of calls', () => {
  async function recorded(provider: MeterProvider): Promise<HistogramMetricData> {
    await provider.forceFlush();
    const [scope] = metrics.getMetrics().at(-1)?.scopeMetrics ?? [];
    return scope?.metrics[0] as HistogramMetricData;
  }

  it('counts how long they took, in seconds, by the MCP conventions', async () => {
    const provider = registerMetrics();
    expect(telemetry.listened).toBe(true);
    startSpan(telemetry).end(WELL, 1_500);
    startSpan(telemetry).end(BADLY, 30);
    const { descriptor, dataPoints } = await recorded(provider);
    expect(descriptor).toMatchObject({ name: 'mcp.server.operation.duration', unit: 's' });
    const common = {
      'mcp.method.name': 'tools/call',
      'mcp.protocol.version': '2026-07-28',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'search',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
    };
    expect(dataPoints.map(({ attributes, value }) => [attributes, value.count, value.sum])).toEqual([
      [common, 1, 1.5],
      [{ ...common, 'error.type': 'tool_error' }, 1, 0.03],
    ]);
    expect(dataPoints[0]?.value.buckets.boundaries).toEqual([
      0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300,
    ]);
    await provider.shutdown();
  });

  it('moves to a provider that is registered later', async () => {
    startSpan(telemetry).end(WELL, 1);
    const provider = registerMetrics();
    startSpan(telemetry).end(WELL, 2_000);
    const { dataPoints } = await recorded(provider);
    expect(dataPoints.map(({ value }) => value.sum)).toEqual([2]);
    await provider.shutdown();
  });
});
