const SHOW_AFTER_MS = 1_000;

/** Runs a step of the start. Prints its name and duration if it takes more than a second. */
export async function runStep<T>(label: string, print: (line: string) => void, run: () => Promise<T>): Promise<T> {
  const start = performance.now();
  let isPrinted = false;
  const timer = setTimeout(() => {
    isPrinted = true;
    print(`${label} ...`);
  }, SHOW_AFTER_MS);
  try {
    const result = await run();
    if (isPrinted) print(`${label}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
    return result;
  } finally {
    clearTimeout(timer);
  }
}
