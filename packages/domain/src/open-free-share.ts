/**
 * Creates a claimer that limits the running work of free plans and the sandbox to `slots`. Claims work serially,
 * because concurrent claims could exceed this limit. `claim` returns the next work, or undefined. `withFree`: whether
 * `claim` may return free and sandbox work.
 */
export function openFreeShare<T extends { isFree: boolean }>(
  slots: number,
  claim: (withFree: boolean) => Promise<T | undefined>,
) {
  let running = 0;
  let last: Promise<unknown> = Promise.resolve();
  const claimNext = async () => {
    const claimed = await claim(running < slots);
    if (claimed?.isFree) running += 1;
    return claimed;
  };
  return {
    next: (): Promise<T | undefined> => {
      const claimed = last.then(claimNext);
      last = claimed.catch(() => undefined);
      return claimed;
    },
    /** Call it once when the work has ended. */
    release: ({ isFree }: T): void => {
      if (isFree) running -= 1;
    },
  };
}
