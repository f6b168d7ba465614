import { AsyncLocalStorage } from 'node:async_hooks';

/** The list is closed, which keeps IP and email addresses, keys, file names, and URLs out of traces. */
export type SpanFacts = Partial<{
  'http.request.method': string;
  /** The pattern of the route, never the path. */
  'http.route': string;
  'http.response.status_code': number;
  'db.operation.name': string;
  'db.collection.name': string;
  'uprez.request.id': string;
  'uprez.account.id': string;
  'uprez.job.id': string;
  'uprez.job.attempt': number;
  'uprez.job.waited_ms': number;
  'uprez.plan': string;
  'uprez.engine': string;
  'uprez.pixels': number;
  'uprez.bytes': number;
  'uprez.count': number;
  'uprez.outcome': string;
  'uprez.event.type': string;
  'uprez.delivery.id': string;
  'uprez.delivery.attempt': number;
}>;

/** `startMs`: start time, in milliseconds since 1970. Defaults to now. */
export type SpanStart = {
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  facts?: SpanFacts;
  startMs?: number;
};

export type Span = {
  traceId: string;
  /** The `traceparent` header (W3C Trace Context) that identifies this span as a parent. */
  traceparent: string;
  isSampled: boolean;
  add: (facts: SpanFacts) => void;
  /** Marks the span as failed, with an error's code or name. Messages are left out, because they may quote input. */
  fail: (error: unknown) => void;
  /** `endMs`: end time, in milliseconds since 1970. Defaults to now. */
  end: (endMs?: number) => void;
};

export type Tracer = {
  /** `parent`: a `traceparent` header. Without one, the span starts a new trace. */
  startSpan: (name: string, start: SpanStart & { parent?: string | undefined }) => Span;
  /** Sets the share of traces that are recorded, from 0 to 1. */
  setRatio: (ratio: number) => void;
  /** Sends the remaining spans and closes the tracer. */
  close: () => Promise<void>;
};

const current = new AsyncLocalStorage<Span>();
let tracer: Tracer | undefined;

/** Sets the tracer of this process. Without one, no spans are recorded. */
export function setTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** Sets the share of new traces that are recorded, from 0 to 1. */
export const setTraceRatio = (ratio: number): void => tracer?.setRatio(ratio);

/** Returns the span that the running code is part of, or undefined outside of a trace. */
export const currentSpan = (): Span | undefined => (tracer ? current.getStore() : undefined);

/** Starts a span under a remote parent, or a new trace. The caller ends it. Returns undefined without a tracer. */
export const startTrace = (
  name: string,
  { parent, ...start }: SpanStart & { parent: string | null | undefined },
): Span | undefined => tracer?.startSpan(name, { ...start, parent: parent ?? undefined });

export const runInSpan = <T>(span: Span | undefined, work: () => T): T => (span ? current.run(span, work) : work());

/** Runs `work` as part of a span, and ends the span afterward. An error marks it as failed. */
export async function endWith<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await runInSpan(span, work);
  } catch (error) {
    span?.fail(error);
    throw error;
  } finally {
    span?.end();
  }
}

/** Runs `work` in a child of the current span. Outside of a recorded trace, runs it without a span. */
export function withSpan<T>(name: string, start: SpanStart, work: (span?: Span) => Promise<T>): Promise<T> {
  const span = startChild(name, start);
  return span ? endWith(span, () => work(span)) : work();
}

/** Adds a child of the current span that has already ended. */
export const addSpan = (name: string, { endMs, ...start }: SpanStart & { startMs: number; endMs: number }): void =>
  startChild(name, start)?.end(endMs);

function startChild(name: string, start: SpanStart): Span | undefined {
  const parent = currentSpan();
  return parent?.isSampled ? tracer?.startSpan(name, { ...start, parent: parent.traceparent }) : undefined;
}

type TraceParent = { traceId: string; spanId: string; isSampled: boolean };

const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a `traceparent` header (W3C Trace Context, version 00). Returns undefined if it's invalid. */
export function parseTraceparent(text: string): TraceParent | undefined {
  const [, traceId, spanId, flags] = traceparentPattern.exec(text) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
