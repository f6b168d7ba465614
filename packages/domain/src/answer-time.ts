import { setTimeout as passes } from 'node:timers/promises';

/** Longer than any lookup takes, because timing must not reveal which email addresses are known. */
const answerMs = 250;

/**
 * Runs a lookup for an email address. Waits before returning, which makes the lookup take the same time for all
 * addresses.
 */
export async function takeAnswerTime<T>(run: () => Promise<T>): Promise<T> {
  const answerTime = passes(answerMs);
  const result = await run();
  await answerTime;
  return result;
}
