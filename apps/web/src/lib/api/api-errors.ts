import { ApiError } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { messages } from '../../messages.ts';
import { showToast } from '../notifications/toast-store.ts';

export const hasErrorCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code;

/** An error of the browser, with a message for the user. */
export class ShownError extends Error {}

/** Whether the server has refused a call. After other failures, the call may have taken effect. */
export const isRefused = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/** The server's error message, or that the server could not be reached. */
export function errorMessage(error: unknown): string {
  if (error instanceof ShownError) return error.message;
  if (!(error instanceof ApiError)) return messages.error.unreachable;
  // Its sentence starts with `Unauthorized:` for programs that look for that word.
  return hasErrorCode(error, 'not_signed_in') ? messages.session.ended : error.sentence;
}

/** Shows a failed call in a toast. An ended session is left to the page, which leads to the sign-in. */
export function showErrorToast(title: string, error: unknown): void {
  if (!hasErrorCode(error, 'not_signed_in')) showToast({ title, description: errorMessage(error), destructive: true });
}
