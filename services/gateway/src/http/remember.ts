/** Ask once, and give the same answer for `lifeMs`; whoever comes while it is asked waits for it. Failures are not kept. */
export function remember<T>(ask: () => Promise<T>, lifeMs: number): () => Promise<T> {
  let known: { answer: Promise<T>; untilMs: number } | undefined;
  return () => {
    if (known && performance.now() < known.untilMs) return known.answer;
    const asked = { answer: ask(), untilMs: performance.now() + lifeMs };
    known = asked;
    asked.answer.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked.answer;
  };
}
