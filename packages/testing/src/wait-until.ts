export type WaitOptions = { timeoutMs?: number; everyMs?: number; what?: string };

/** Polls until the value is neither false nor undefined, and returns it. @throws After the time limit. */
export async function waitUntil<T>(
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  { timeoutMs = 45_000, everyMs = 20, what = 'the condition' }: WaitOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== false && answer !== undefined) return answer;
    if (Date.now() > deadline) throw new Error(`${what} did not come true within ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
