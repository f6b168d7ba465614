import { AppError } from '@uprez/contracts/errors/app-error';

/** The error for a store that does not do its part; `what` names the operation for the log. */
export function unavailable(what: string, cause: unknown): AppError {
  return new AppError('service_unavailable', { cause: new Error(`storage: ${what}`, { cause }) });
}

/** Runs `work`, turning whatever it throws into `service_unavailable`. */
export async function orUnavailable<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(what, error);
  }
}
