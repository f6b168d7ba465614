import { ApiError } from '@uprez/client/api-error';
import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { messages } from '../../messages.ts';
import { showToast } from '../notifications/toast-store.ts';

export const hasErrorCode = (error: unknown, code: ErrorCode): boolean =>
  error instanceof ApiError && error.code === code;

/** Error that occurs in the browser and has a message for the user. */
export class ShownError extends Error {}

/** Whether the server rejected a call. After any other failure, the call may have taken effect. */
export const isRejectedRequest = (error: unknown): boolean => error instanceof ApiError && error.status < 500;

/**
 * Returns the message to show for an error. If the server sent no response, the message says that it couldn't be
 * reached.
 */
export function describeError(error: unknown): string {
  if (error instanceof ShownError) return error.message;
  if (!(error instanceof ApiError)) return messages.error.unreachable;
  // Replaces the server's message, which starts with `Unauthorized:` for programs that look for that word.
  return hasErrorCode(error, 'not_signed_in') ? messages.session.ended : error.sentence;
}

/** Shows a failed call in a toast. Ignores an ended session, because the page then redirects to the sign-in page. */
export function showErrorToast(title: string, error: unknown): void {
  if (!hasErrorCode(error, 'not_signed_in')) showToast({ title, description: describeError(error), destructive: true });
}
