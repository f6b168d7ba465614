import { setTimeout as passes } from 'node:timers/promises';

/** Longer than any email address takes, so that the time doesn't reveal which ones are known, ms. */
const answerMs = 250;

/** Runs something that looks for an email address, and returns its result after the same time for all of them. */
export async function takeAnswerTime<T>(run: () => Promise<T>): Promise<T> {
  const answerTime = passes(answerMs);
  const result = await run();
  await answerTime;
  return result;
}
