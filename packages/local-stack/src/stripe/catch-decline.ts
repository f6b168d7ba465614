import { DeclinedError } from './stripe-error.ts';

/** Returns the result of `work`, or the error of a declined card. Its effects are kept, which a thrown error would undo. */
export function catchDecline<R>(work: () => R): R | DeclinedError {
  try {
    return work();
  } catch (error) {
    if (error instanceof DeclinedError) return error;
    throw error;
  }
}
