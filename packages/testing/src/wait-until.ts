export type WaitOptions = { timeoutMs?: number; everyMs?: number; what?: string };

/** Long enough for a busy machine. A successful wait ends earlier. */
const defaultMs = 60_000;

/** Polls until the value is neither false nor undefined, and returns it. Throws Error after the time limit. */
export async function waitUntil<T>(
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  { timeoutMs = defaultMs, everyMs = 20, what = String(ask) }: WaitOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`not true within ${timeoutMs} ms, at last ${answer}: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
