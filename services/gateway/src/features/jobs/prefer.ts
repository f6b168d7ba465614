import { limits } from '@uprez/contracts/policy/limits';

type Prefer = string | string[] | undefined;

/** Seconds a caller waits for the result: as it wishes, else as all do. */
export const readWaitSeconds = (prefer: Prefer): number => readWish(prefer) ?? limits.waitSeconds;

/**
 * Seconds a caller wants to wait for the result (RFC 7240 `Prefer: wait=N` or `respond-async`). Undefined: it has said
 * nothing that is understood.
 */
export function readWish(prefer: Prefer): number | undefined {
  const wishes = [prefer ?? []]
    .flat()
    .join(',')
    .split(',')
    .map((wish) => wish.trim().toLowerCase());
  if (wishes.includes('respond-async')) return 0;
  const wait = wishes.map((wish) => /^wait=(\d{1,4})$/.exec(wish)?.[1]).find((value) => value !== undefined);
  return wait === undefined ? undefined : Math.min(Number(wait), limits.maxWaitSeconds);
}
