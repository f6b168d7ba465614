import { type Context, diag, ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type Sampler, SamplingDecision, TracerProvider } from '@opentelemetry/sdk-trace';
import { formatTraceparent, parseTraceparent, type Span, type SpanStart, type Tracer } from './spans.ts';

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
} as const;
const sendEveryMs = 1_000;
/** Short, because a collector that doesn't respond must not delay the shutdown of a service. */
const sendTimeoutMs = 5_000;

export type OtelOptions = {
  service: string;
  /** Base URL of a collector (OTLP over HTTP). */
  endpoint: string;
  ratio: number;
  /** Called when spans are lost. */
  onError: (reason: string) => void;
};

export function openOtelTracer({ service, endpoint, ratio, onError }: OtelOptions): Tracer {
  reportErrors(onError);
  const { sampler, setRatio } = makeSampler(ratio);
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    timeoutMillis: sendTimeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter,
    scheduledDelayMillis: sendEveryMs,
    exportTimeoutMillis: sendTimeoutMs,
  });
  const resource = resourceFromAttributes({ 'service.name': `uprez-${service}` });
  const provider = new TracerProvider({ sampler, resource, spanProcessors: [processor] });
  const tracer = provider.getTracer('uprez');
  return {
    startSpan: (name, { parent, ...start }) => wrap(tracer.startSpan(name, optionsOf(start), contextOf(parent))),
    setRatio,
    close: () => provider.shutdown().catch((error: unknown) => onError(String(error))),
  };
}

const optionsOf = ({ kind = 'internal', facts = {}, startMs }: SpanStart) => ({
  kind: kinds[kind],
  attributes: facts,
  ...(startMs !== undefined && { startTime: startMs }),
});

function contextOf(traceparent: string | undefined): Context {
  const parent = traceparent === undefined ? undefined : parseTraceparent(traceparent);
  if (!parent) return ROOT_CONTEXT;
  const { traceId, spanId, isSampled } = parent;
  const traceFlags = isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

function wrap(span: ReturnType<ReturnType<TracerProvider['getTracer']>['startSpan']>): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    traceId,
    isSampled,
    traceparent: formatTraceparent({ traceId, spanId, isSampled }),
    add: (facts) => void span.setAttributes(facts),
    fail: (error) => void span.setStatus({ code: SpanStatusCode.ERROR }).setAttribute('error.type', nameOf(error)),
    end: (endMs) => span.end(endMs),
  };
}

function nameOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const known = [error, code, name].find((text) => typeof text === 'string' && /^\w{1,60}$/.test(text));
  return typeof known === 'string' ? known : 'unknown';
}

/**
 * Creates a sampler. The gateway decides at random for each request, regardless of the client's headers, because a
 * client must not flood the collector. In all services, other spans follow the decision for their parent.
 */
function makeSampler(initial: number): { sampler: Sampler; setRatio: (ratio: number) => void } {
  let ratio = initial;
  const sampler: Sampler = {
    shouldSample: (...[context, , , kind]: Parameters<Sampler['shouldSample']>) => {
      const parent = kind === SpanKind.SERVER ? undefined : trace.getSpanContext(context);
      const isSampled = parent ? (parent.traceFlags & TraceFlags.SAMPLED) !== 0 : Math.random() < ratio;
      return { decision: isSampled ? SamplingDecision.RECORD_AND_SAMPLED : SamplingDecision.NOT_RECORD };
    },
    toString: () => `Uprez{${ratio}}`,
  };
  return {
    sampler,
    setRatio: (next) => {
      ratio = next;
    },
  };
}

function reportErrors(onError: (reason: string) => void): void {
  const report = (message: string) => onError(message.slice(0, 500));
  const ignore = () => {};
  diag.setLogger({ error: report, warn: report, info: ignore, debug: ignore, verbose: ignore });
}
