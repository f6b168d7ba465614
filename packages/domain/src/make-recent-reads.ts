type Kept<Value> = { at: number; value: Promise<Value> };

/**
 * Caches the results of reads for `freshMs` milliseconds, for at most `entries` keys. Concurrent requests share a read.
 * Failed reads aren't cached.
 */
export function makeRecentReads<Value>({ freshMs, entries }: { freshMs: number; entries: number }) {
  const kept = new Map<string, Kept<Value>>();
  return {
    read: (key: string, load: () => Promise<Value>): Promise<Value> => {
      const known = kept.get(key);
      if (known && performance.now() - known.at < freshMs) return known.value;
      const reading = { at: performance.now(), value: load() };
      // Maps keep insertion order, so the first key is the oldest.
      kept.delete(key);
      kept.set(key, reading);
      const [oldest] = kept.keys();
      if (kept.size > entries && oldest !== undefined) kept.delete(oldest);
      reading.value.catch(() => {
        if (kept.get(key) === reading) kept.delete(key);
      });
      return reading.value;
    },
    forget: (key: string): void => {
      kept.delete(key);
    },
  };
}
