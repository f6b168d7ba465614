export type TraceParent = { traceId: string; spanId: string; isSampled: boolean };

const pattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

/** Parses a `traceparent` header (W3C Trace Context, version 00). Returns undefined if it's invalid. */
export function parseTraceparent(text: string): TraceParent | undefined {
  const [, traceId, spanId, flags] = pattern.exec(text) ?? [];
  if (!traceId || !spanId || !flags) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** Formats a `traceparent` header. */
export const formatTraceparent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
