import { AppError } from '@uprez/contracts/errors/app-error';
import type { LocalFailure } from './worker-messages.ts';

/** Error in a step, with a reason that the user can act on. */
export class LocalError extends Error {
  readonly failure: LocalFailure;
  constructor(failure: LocalFailure, cause: unknown) {
    super(`${failure}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.failure = failure;
  }
}

/** Matches error messages from browsers and from the runtime about failed allocations. */
const memoryErrorPattern =
  /out of memory|bad_alloc|allocation failed|failed to allocate|invalid array (buffer )?length|memory/i;

/** Matches error messages from browsers about scripts and WebAssembly that can't be loaded. */
const loadErrorPattern = /failed to fetch|networkerror|load failed|(error loading|importing).*module/i;

export function failureOf(error: unknown): LocalFailure {
  if (error instanceof AppError && error.code === 'output_check_failed') return 'check';
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof RangeError || memoryErrorPattern.test(message)) return 'memory';
  if (!(error instanceof LocalError)) return 'unknown';
  return error.failure === 'model' && loadErrorPattern.test(message) ? 'download' : error.failure;
}

/** Runs a step. If the step fails, throws LocalError with the failure reason. */
export async function withReason<T>(failure: LocalFailure, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw new LocalError(failure, error);
  }
}
