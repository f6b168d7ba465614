import { statusRules } from '@uprez/contracts/policy/status';

/** One attempt of a check. Throws with the reason of a failure. */
export type Attempt<Result> = (signal: AbortSignal) => Promise<Result>;
type Confirming = {
  /** Waits so many seconds. */
  wait: (seconds: number) => Promise<void>;
  makeSignal: () => AbortSignal;
};

/** Repeats a failed attempt until it succeeds, or has failed as often as it must to count. Throws the last error. */
export async function confirmFailure<Result>(
  attempt: Attempt<Result>,
  { wait, makeSignal }: Confirming,
): Promise<Result> {
  for (const seconds of statusRules.confirmAfterS) {
    try {
      return await attempt(makeSignal());
    } catch {
      await wait(seconds);
    }
  }
  return await attempt(makeSignal());
}
