export type WaitOptions = { timeoutMs?: number; everyMs?: number; what?: string };

/** Ask again and again until the answer is neither false nor undefined; that answer. Throws after the time limit. */
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
