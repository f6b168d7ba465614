const SHOW_AFTER_MS = 1_000;

/** Runs one step of the start; a step that takes over a second says so, and how long it took. */
export async function runStep<T>(label: string, print: (line: string) => void, run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let shown = false;
  const timer = setTimeout(() => {
    shown = true;
    print(`${label} ...`);
  }, SHOW_AFTER_MS);
  try {
    const result = await run();
    if (shown) print(`${label}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
