import { ApiError } from '@uprez/client/api-error';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { patiently, pauseAfter } from './patiently.ts';

const refused = (code: string, status: number, meta = {}) => new ApiError({ code, status, meta }, 'No.');

describe('the pause after a failure', () => {
  it('is what the server says', () => {
    expect(pauseAfter(refused('rate_limited', 429, { retryAfterS: 7 }), 1)).toBe(7_000);
    expect(pauseAfter(refused('maintenance', 503, { retryAfterS: 60 }), 4)).toBe(60_000);
  });
  it('grows to half a minute where nobody says anything', () => {
    const pauses = [1, 2, 3, 9].map((failures) => pauseAfter(new Error('No answer'), failures));
    expect(pauses).toEqual([1_000, 2_000, 4_000, 30_000]);
    expect(pauseAfter(refused('service_unavailable', 503), 2)).toBe(2_000);
  });
  it('is none after a final answer', () => {
    expect(pauseAfter(refused('unsupported_format', 415), 1)).toBeUndefined();
    expect(pauseAfter(refused('not_signed_in', 401), 1)).toBeUndefined();
  });
});

describe('a patient call', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('window', new EventTarget());
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });
  const signal = new AbortController().signal;

  it('goes on when the server says, and when the line is back', async () => {
    const call = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(refused('rate_limited', 429, { retryAfterS: 5 }))
      .mockRejectedValueOnce(new Error('No answer'))
      .mockResolvedValue('done');
    const onPause = vi.fn();
    const result = patiently(call, { signal, onPause });
    await vi.advanceTimersByTimeAsync(4_999);
    expect(call).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(call).toHaveBeenCalledTimes(2);
    window.dispatchEvent(new Event('online'));
    expect(await result).toBe('done');
    expect(onPause).toHaveBeenCalledTimes(2);
  });

  it('ends with the last answer, a final one, or the reason to stop', async () => {
    const busy = refused('rate_limited', 429, { retryAfterS: 1 });
    const call = vi.fn(() => Promise.reject(busy));
    const given = expect(patiently(call, { signal, tries: 3 })).rejects.toBe(busy);
    await vi.advanceTimersByTimeAsync(10_000);
    await given;
    expect(call).toHaveBeenCalledTimes(3);
    const final = refused('corrupt_image', 422);
    await expect(patiently(() => Promise.reject(final), { signal })).rejects.toBe(final);
    const stop = new AbortController();
    const stopped = expect(patiently(call, { signal: stop.signal })).rejects.toThrow('enough');
    stop.abort(new Error('enough'));
    await stopped;
  });
});
