import { dispatchChannels } from './dispatch-channels.js';
import type { McpCallEvent, McpObserver } from './mcp-observer.js';
import type { McpContext } from '../protocol/context.js';
import type { McpLogger } from '../protocol/logger.js';
import type { CallEnd, CallStart, Observation, Observe } from '../protocol/observation.js';

export type OnCall = McpObserver['onCall'];

/** An observer, found for the request of the call. */
export type ObserverFor = (request: object) => Promise<OnCall> | OnCall;

export interface ObservationParts {
  /** The server's name, as this caller knows it. Never throws. */
  readonly server: (context: McpContext) => string;
  readonly observers: readonly ObserverFor[];
  readonly telemetry: CallTelemetry | undefined;
  readonly logger: McpLogger;
}

/** What is known when a call begins, for the process. */
export type StartFacts = Pick<
  McpCallEvent,
  'server' | 'method' | 'kind' | 'name' | 'source' | 'transport' | 'revision'
>;

/** The span of one call. */
export interface CallSpan {
  run<T>(work: () => T): T;
  end(end: CallEnd, ms: number): void;
}

export interface CallTelemetry {
  /** Somebody collects spans or metrics. */
  readonly listened: boolean;
  begin(facts: StartFacts, context: McpContext): CallSpan;
}

/** Tells observers, diagnostics channels and OpenTelemetry of calls. Nothing is made while none of them listens. */
export function observeWith({ server, observers, telemetry, logger }: ObservationParts): Observe {
  const channels = dispatchChannels();
  return (start) => {
    const listened = observers.length > 0 || channels.listened || telemetry?.listened === true;
    if (!listened) return undefined;
    const facts = factsOf(server(start.context), start);
    const span = isolated(logger, () => telemetry?.begin(facts, start.context));
    const ended = isolated(logger, () => channels.begin(facts));
    const began = performance.now();
    return {
      run: (work) => (span === undefined ? work() : span.run(work)),
      end: (end) => {
        const ms = performance.now() - began;
        isolated(logger, () => span?.end(end, ms));
        isolated(logger, () => ended?.(end, ms));
        if (observers.length > 0) tell(observers, eventOf(facts, start, { end, ms }), { start, logger });
      },
    } satisfies Observation;
  };
}

function factsOf(server: string, { subject, context, transport }: CallStart): StartFacts {
  const { kind, name, source } = subject;
  return { server, method: context.method, kind, name, source, transport, revision: context.revision };
}

function eventOf(
  facts: StartFacts,
  { context: { identity, identityKey, sessionId } }: CallStart,
  { end, ms }: { readonly end: CallEnd; readonly ms: number },
): McpCallEvent {
  const { threw: _threw, ...outcome } = end;
  return Object.freeze({ ...facts, ms, ...outcome, identity, identityKey, sessionId });
}

function tell(
  observers: readonly ObserverFor[],
  event: McpCallEvent,
  { start, logger }: { readonly start: CallStart; readonly logger: McpLogger },
): void {
  const failed = (error: unknown): void => logger.error('An observer failed', error);
  for (const observerFor of observers) {
    try {
      const onCall = observerFor(start.context.request as object);
      const told: unknown = onCall instanceof Promise ? onCall.then((found) => found(event)) : onCall(event);
      if (told instanceof Promise) told.catch(failed);
    } catch (error) {
      failed(error);
    }
  }
}

/** Whoever watches a call never changes it. */
function isolated<T>(logger: McpLogger, run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    logger.error('Telemetry failed', error);
    return undefined;
  }
}
