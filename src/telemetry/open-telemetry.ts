import { createRequire } from 'node:module';
import type * as Api from '@opentelemetry/api';
import type { CallTelemetry, StartFacts } from './call-observation.js';
import type { McpContext } from '../protocol/context.js';
import type { CallEnd } from '../protocol/observation.js';
import { remoteTraceOf } from './trace-context.js';

type OpenTelemetry = typeof Api;
type Attributes = Record<string, string>;

const SCOPE = 'nestjs-mcp';
const DURATION = 'mcp.server.operation.duration';
/** The boundaries of the MCP conventions, in seconds. */
const BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The API as the application has it, or this package; undefined where it is not installed. */
export function openTelemetryApi(): OpenTelemetry | undefined {
  for (const base of [`${process.cwd()}/package.json`, import.meta.url]) {
    try {
      return createRequire(base)('@opentelemetry/api') as OpenTelemetry;
    } catch {
      // Not there, or not usable there: an optional peer never keeps a server from starting.
    }
  }
  return undefined;
}

/**
 * Calls as spans and a histogram, named by the MCP semantic conventions. What they would take from the caller is left
 * out: `mcp.session.id`, `mcp.resource.uri` and ids of requests that are text.
 */
export function callTelemetry(api: OpenTelemetry): CallTelemetry {
  const noTracers = new api.ProxyTracerProvider().getDelegate();
  const noMeter = api.createNoopMeter();
  let known: Api.MeterProvider | undefined;
  let histogram: Api.Histogram | undefined;

  /** An SDK may be registered late; instruments made before are deaf for ever. */
  const durations = (): Api.Histogram | undefined => {
    const provider = api.metrics.getMeterProvider();
    if (provider === known) return histogram;
    known = provider;
    const meter = provider.getMeter(SCOPE);
    histogram = meter === noMeter ? undefined : durationOf(meter);
    return histogram;
  };
  const traced = (): boolean => {
    const provider = api.trace.getTracerProvider();
    return !(provider instanceof api.ProxyTracerProvider) || provider.getDelegate() !== noTracers;
  };

  return {
    get listened() {
      return traced() || durations() !== undefined;
    },
    begin(facts, context) {
      const attributes = attributesOf(facts);
      const started = traced() ? startSpan(api, { attributes, facts, context }) : undefined;
      return {
        run: (work) => (started === undefined ? work() : api.context.with(started.within, work)),
        end: (end, ms) => {
          const failure = failureOf(end);
          if (started !== undefined) {
            started.span.setAttributes(failure);
            if (end.isError) started.span.setStatus({ code: api.SpanStatusCode.ERROR });
            started.span.end();
          }
          durations()?.record(ms / 1_000, { ...attributes, ...failure });
        },
      };
    },
  };
}

function durationOf(meter: Api.Meter): Api.Histogram {
  return meter.createHistogram(DURATION, {
    unit: 's',
    description: 'How long calls took, from accepted arguments to the result',
    advice: { explicitBucketBoundaries: BOUNDARIES },
  });
}

interface SpanParts {
  readonly attributes: Attributes;
  readonly facts: StartFacts;
  readonly context: McpContext;
}

/** Continues the caller's trace when it sent one, and then links what was going on here, e.g. the HTTP request. */
function startSpan(
  api: OpenTelemetry,
  { attributes, facts, context }: SpanParts,
): { readonly span: Api.Span; readonly within: Api.Context } {
  const ambient = api.context.active();
  const remote = remoteTraceOf(context.requestMeta);
  const { requestId } = context;
  const options: Api.SpanOptions = {
    kind: api.SpanKind.SERVER,
    attributes: {
      ...attributes,
      ...(typeof requestId === 'number' ? { 'jsonrpc.request.id': String(requestId) } : {}),
    },
  };
  let parent = ambient;
  if (remote !== undefined) {
    const { traceState, ...place } = remote;
    parent = api.trace.setSpanContext(ambient, {
      ...place,
      isRemote: true,
      ...(traceState === undefined ? {} : { traceState: api.createTraceState(traceState) }),
    });
    const around = api.trace.getSpanContext(ambient);
    if (around !== undefined && api.isSpanContextValid(around)) options.links = [{ context: around }];
  }
  const target = facts.kind === 'tool' || facts.kind === 'prompt' ? ` ${facts.name}` : '';
  const span = api.trace.getTracer(SCOPE).startSpan(`${facts.method}${target}`, options, parent);
  return { span, within: api.trace.setSpan(parent, span) };
}

function attributesOf({ method, kind, name, revision, transport }: StartFacts): Attributes {
  return {
    'mcp.method.name': method,
    'mcp.protocol.version': revision,
    ...(kind === 'tool' ? { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name } : {}),
    ...(kind === 'prompt' ? { 'gen_ai.prompt.name': name } : {}),
    ...(transport === 'http' ? { 'network.transport': 'tcp', 'network.protocol.name': 'http' } : {}),
    ...(transport === 'stdio' ? { 'network.transport': 'pipe' } : {}),
  };
}

function failureOf({ isError, code, error }: CallEnd): Attributes {
  if (!isError) return {};
  if (code !== undefined) return { 'error.type': String(code), 'rpc.response.status_code': String(code) };
  return { 'error.type': error === 'cancelled' ? error : 'tool_error' };
}
