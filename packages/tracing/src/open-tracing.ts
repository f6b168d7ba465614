import type { OtelOptions } from './otel-tracer.ts';
import { setTracer } from './spans.ts';

type TracingOptions = Omit<OtelOptions, 'endpoint'> & { endpoint: string | undefined };

/** Starts recording traces. Without an endpoint, doesn't load OpenTelemetry, which takes time and memory. */
export async function openTracing({ endpoint, ...options }: TracingOptions): Promise<{ close: () => Promise<void> }> {
  if (!endpoint) return { close: async () => {} };
  const { openOtelTracer } = await import('./otel-tracer.ts');
  const tracer = openOtelTracer({ ...options, endpoint });
  setTracer(tracer);
  return {
    close: async () => {
      await tracer.close();
      setTracer(undefined);
    },
  };
}
