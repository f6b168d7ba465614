import { AppError } from '@uprez/contracts/errors/app-error';

/** Creates the error for a failed storage operation. `what`: the operation, for the log. */
export function unavailable(what: string, cause: unknown): AppError {
  return new AppError('service_unavailable', { cause: new Error(`storage: ${what}`, { cause }) });
}

/** Runs `work` and wraps any error in `service_unavailable`. */
export async function orUnavailable<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw unavailable(what, error);
  }
}
