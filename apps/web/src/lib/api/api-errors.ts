import { ApiError } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { messages } from '../../messages.ts';
import { showToast } from '../notifications/toast-store.ts';

export const hasErrorCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code;

/** Error in the browser, with a message for the user. */
export class ShownError extends Error {}

/** Whether the server rejected a call. After any other failure, the call may have taken effect. */
export const isRejectedRequest = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/** Returns the server's error message, or a message that the server couldn't be reached. */
export function describeError(error: unknown): string {
  if (error instanceof ShownError) return error.message;
  if (!(error instanceof ApiError)) return messages.error.unreachable;
  // The sentence of this error starts with `Unauthorized:`, for programs that look for that word.
  return hasErrorCode(error, 'not_signed_in') ? messages.session.ended : error.sentence;
}

/** Shows a failed call in a toast, except for an ended session: the page then redirects to the sign-in. */
export function showErrorToast(title: string, error: unknown): void {
  if (!hasErrorCode(error, 'not_signed_in')) showToast({ title, description: describeError(error), destructive: true });
}
