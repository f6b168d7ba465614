import { AsyncLocalStorage } from 'node:async_hooks';

/** What spans may say. The list is closed, so that no address, key, file name, or URL becomes part of a trace. */
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

/** `startMs`: milliseconds since 1970; now by default. */
export type SpanStart = {
  kind?: 'internal' | 'server' | 'client' | 'producer' | 'consumer';
  facts?: SpanFacts;
  startMs?: number;
};

export type Span = {
  traceId: string;
  /** The header of W3C Trace Context that names this span as a parent. */
  traceparent: string;
  isSampled: boolean;
  add: (facts: SpanFacts) => void;
  /** Marks the span as failed, with the code or name of an error. Messages of errors may quote input, so they are left out. */
  fail: (error: unknown) => void;
  /** `endMs`: as `startMs`. */
  end: (endMs?: number) => void;
};

export type Tracer = {
  /** `parent`: a traceparent. Without it, the span begins a trace. */
  startSpan: (name: string, start: SpanStart & { parent?: string | undefined }) => Span;
  /** Sets the share of traces that are recorded, 0-1. */
  setRatio: (ratio: number) => void;
  /** Sends what is left. */
  close: () => Promise<void>;
};

const current = new AsyncLocalStorage<Span>();
let tracer: Tracer | undefined;

/** Sets the tracer of this process. Without one, nothing here has an effect. */
export function setTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** Sets the share of new traces that are recorded, 0-1. */
export const setTraceRatio = (ratio: number): void => tracer?.setRatio(ratio);

/** The span that the running code is part of. */
export const currentSpan = (): Span | undefined => (tracer ? current.getStore() : undefined);

/** Starts a span under a remote parent, or a new trace. Undefined without a tracer. The caller ends it. */
export const startTrace = (
  name: string,
  { parent, ...start }: SpanStart & { parent: string | null | undefined },
): Span | undefined => tracer?.startSpan(name, { ...start, parent: parent ?? undefined });

/** Runs code as a part of a span. */
export const runInSpan = <T>(span: Span | undefined, work: () => T): T => (span ? current.run(span, work) : work());

/** Runs work as a part of a span and ends the span with it. */
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

/** Runs work in a child of the current span. Outside of a recorded trace, it only runs the work. */
export function withSpan<T>(name: string, start: SpanStart, work: (span?: Span) => Promise<T>): Promise<T> {
  const span = startChild(name, start);
  return span ? endWith(span, () => work(span)) : work();
}

/** Adds a child of the current span that is over already. */
export const addSpan = (name: string, { endMs, ...start }: SpanStart & { startMs: number; endMs: number }): void =>
  startChild(name, start)?.end(endMs);

function startChild(name: string, start: SpanStart): Span | undefined {
  const parent = currentSpan();
  return parent?.isSampled ? tracer?.startSpan(name, { ...start, parent: parent.traceparent }) : undefined;
}
