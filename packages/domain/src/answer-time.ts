import { setTimeout as passes } from 'node:timers/promises';

/**
 * Minimum duration in milliseconds. It's longer than any email address takes, so that timing doesn't reveal which ones
 * are known.
 */
const answerMs = 250;

/** Runs a lookup of an email address, and returns its result after the same time for all addresses. */
export async function takeAnswerTime<T>(run: () => Promise<T>): Promise<T> {
  const answerTime = passes(answerMs);
  const result = await run();
  await answerTime;
  return result;
}
