import { expect, it } from 'vitest';
import { formatTraceparent, parseTraceparent } from './spans.ts';

const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];

it('returns the parts of a valid header, and formats them again', () => {
  const sampled = `00-${traceId}-${spanId}-01`;
  expect(parseTraceparent(sampled)).toEqual({ traceId, spanId, isSampled: true });
  expect(parseTraceparent(`00-${traceId}-${spanId}-02`)?.isSampled).toBe(false);
  expect(formatTraceparent({ traceId, spanId, isSampled: true })).toBe(sampled);
});

it.each([
  ['', 'an empty text'],
  [`01-${traceId}-${spanId}-01`, 'another version'],
  [`00-${'0'.repeat(32)}-${spanId}-01`, 'an empty trace ID'],
  [`00-${traceId}-${'0'.repeat(16)}-01`, 'an empty span ID'],
  [`00-${traceId.toUpperCase()}-${spanId}-01`, 'capital letters'],
  [`00-${traceId}-${spanId}-01\n`, 'a line break'],
  [`00-${traceId}-${spanId}-01-extra`, 'more parts'],
])('returns undefined for %j: %s', (text) => {
  expect(parseTraceparent(text)).toBeUndefined();
});
