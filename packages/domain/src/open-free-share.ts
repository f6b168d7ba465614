/**
 * Creates a claimer that claims work serially, so that running work of free plans and the sandbox never exceeds its
 * share of the slots. `claim` returns the next work, or `undefined`. `withFree`: whether free and sandbox work is
 * included.
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
    /** Must be called once when claimed work has ended. */
    release: ({ isFree }: T): void => {
      if (isFree) running -= 1;
    },
  };
}
