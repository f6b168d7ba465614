import { limits } from '@uprez/contracts/limits';

/** Seconds a caller wants to wait for the result (RFC 7240 `Prefer: wait=N` or `respond-async`). */
export function readWaitSeconds(prefer: string | string[] | undefined): number {
  const wishes = [prefer ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((wish) => wish.trim().toLowerCase());
  if (wishes.includes('respond-async')) return 0;
  const wait = wishes.map((wish) => /^wait=(\d{1,4})$/.exec(wish)?.[1]).find((value) => value !== undefined);
  return wait === undefined ? limits.waitSeconds : Math.min(Number(wait), limits.maxWaitSeconds);
}
