import { channel } from 'node:diagnostics_channel';
import { type AppError, limitOfError } from '@uprez/contracts/errors/app-error';
import type { LimitName } from '@uprez/contracts/policy/limit-names';

/**
 * Connects the code that reaches limits to the metrics. Uses a channel, because much of that code, such as code in
 * transactions, doesn't otherwise use metrics.
 */
const limitsMet = channel('uprez.limits-met');

/** Counts, in the metrics of this process, that a client has reached a limit. */
export const reportLimit = (limit: LimitName): void => limitsMet.publish(limit);

/** Counts the limit that caused an error, if any. */
export function reportLimitOf(error: Pick<AppError, 'code'> & Partial<Pick<AppError, 'limitName'>>): void {
  const limit = limitOfError(error);
  if (limit) reportLimit(limit);
}

/** Calls `count` each time a limit is reached in this process. Returns a function that unsubscribes. */
export function watchLimits(count: (limit: LimitName) => void): () => void {
  const listen = (limit: unknown) => count(limit as LimitName);
  limitsMet.subscribe(listen);
  return () => void limitsMet.unsubscribe(listen);
}
