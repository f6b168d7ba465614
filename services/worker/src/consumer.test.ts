import { expect, it, vi } from 'vitest';
import { waitedMs } from './consumer.ts';

it("measures waiting by the database's clock, whatever this machine's says", () => {
  vi.useFakeTimers({ now: new Date('2030-01-01T00:00:00Z') });
  try {
    const createdAt = new Date('2026-01-01T00:00:00Z');
    expect(waitedMs({ createdAt, startedAt: new Date('2026-01-01T00:00:02.500Z') })).toBe(2_500);
    expect(waitedMs({ createdAt, startedAt: null })).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});
