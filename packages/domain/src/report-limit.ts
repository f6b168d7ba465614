import { channel } from 'node:diagnostics_channel';
import { type AppError, limitOfError } from '@uprez/contracts/errors/app-error';
import type { LimitName } from '@uprez/contracts/policy/limit-names';

/** A channel, because limits are reached in many functions that don't use metrics otherwise, and in transactions. */
const limitsMet = channel('uprez.limits-met');

/** Counts a limit that a client reached in the metrics of this process. */
export const reportLimit = (limit: LimitName): void => limitsMet.publish(limit);

/** Counts the limit that caused an error, if any. */
export function reportLimitOf(error: Pick<AppError, 'code'> & Partial<Pick<AppError, 'limitName'>>): void {
  const limit = limitOfError(error);
  if (limit) reportLimit(limit);
}

/** Calls `count` for each limit reached in this process. Returns a function that unsubscribes. */
export function watchLimits(count: (limit: LimitName) => void): () => void {
  const listen = (limit: unknown) => count(limit as LimitName);
  limitsMet.subscribe(listen);
  return () => void limitsMet.unsubscribe(listen);
}
