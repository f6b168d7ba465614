type Line = { running: number; waiting: (() => void)[] };

/** Runs work of one key at most `most` at a time, the rest in its order; keys do not wait for each other. */
export function makeLanes(most: number) {
  const lines = new Map<string, Line>();
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(key) ?? { running: 0, waiting: [] };
    lines.set(key, line);
    if (line.running >= most) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running += 1;
    try {
      return await work();
    } finally {
      // Whoever comes next takes this one's place.
      const next = line.waiting.shift();
      if (next) next();
      else line.running -= 1;
      if (line.running === 0) lines.delete(key);
    }
  };
}
