import { SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace-base';

/** Writes each span as one line; a real application sends them to its collector. */
export class SpanLines implements SpanExporter {
  export(spans: ReadableSpan[], done: (result: { code: number }) => void): void {
    for (const span of spans) console.log(lineOf(span));
    done({ code: 0 });
  }

  async shutdown(): Promise<void> {}
}

function lineOf(span: ReadableSpan): string {
  const { name, status, attributes, parentSpanContext } = span;
  const { traceId, spanId } = span.spanContext();
  const outcome = status.code === SpanStatusCode.ERROR ? `failed (${String(attributes['error.type'])})` : 'ok';
  return `span ${name}: ${outcome}, trace ${traceId}, span ${spanId}, parent ${parentSpanContext?.spanId ?? 'none'}`;
}
