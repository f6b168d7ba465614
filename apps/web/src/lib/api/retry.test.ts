import { ApiError } from '@uprez/client/api-error';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { retry, retryDelayMs } from './retry.ts';

const refused = (code: string, status: number, meta = {}) => new ApiError({ code, status, meta }, 'No.');

describe('retryDelayMs', () => {
  it('returns the Retry-After of the server', () => {
    expect(retryDelayMs(refused('rate_limited', 429, { retryAfterS: 7 }), 1)).toBe(7_000);
    expect(retryDelayMs(refused('maintenance', 503, { retryAfterS: 60 }), 4)).toBe(60_000);
  });
  it('doubles up to 30 s when the server gives no Retry-After', () => {
    const delays = [1, 2, 3, 9].map((failures) => retryDelayMs(new Error('No answer'), failures));
    expect(delays).toEqual([1_000, 2_000, 4_000, 30_000]);
    expect(retryDelayMs(refused('service_unavailable', 503), 2)).toBe(2_000);
  });
  it('returns undefined for a final error', () => {
    expect(retryDelayMs(refused('unsupported_format', 415), 1)).toBeUndefined();
    expect(retryDelayMs(refused('not_signed_in', 401), 1)).toBeUndefined();
  });
  it('returns undefined when the server asks for more than a minute', () => {
    expect(retryDelayMs(refused('rate_limited', 429, { retryAfterS: 61 }), 1)).toBeUndefined();
    expect(retryDelayMs(refused('rate_limited', 429, { retryAfterS: 86_400 }), 1)).toBeUndefined();
  });
});

describe('retry', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', new EventTarget());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const signal = new AbortController().signal;

  it('retries after Retry-After, and as soon as the browser is online again', async () => {
    const call = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(refused('rate_limited', 429, { retryAfterS: 5 }))
      .mockRejectedValueOnce(new Error('No answer'))
      .mockResolvedValue('done');
    const onRetry = vi.fn();
    const result = retry(call, { signal, onRetry });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(call).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(call).toHaveBeenCalledTimes(2);
    window.dispatchEvent(new Event('online'));
    expect(await result).toBe('done');
    expect(onRetry).toHaveBeenCalledTimes(2);
  });

  it('throws the last retryable error, a final error, or the reason of the signal', async () => {
    const busy = refused('rate_limited', 429, { retryAfterS: 1 });
    const call = vi.fn(() => Promise.reject(busy));
    const given = expect(retry(call, { signal, attempts: 3 })).rejects.toBe(busy);
    await vi.advanceTimersByTimeAsync(10_000);
    await given;
    expect(call).toHaveBeenCalledTimes(3);
    const final = refused('corrupt_image', 422);
    await expect(retry(() => Promise.reject(final), { signal })).rejects.toBe(final);
    const stop = new AbortController();
    const stopped = expect(retry(call, { signal: stop.signal })).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await stopped;
  });
});
