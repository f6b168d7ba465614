import { showToast } from '../notifications/toast-store.ts';
import { errorMessage, hasErrorCode } from './api-errors.ts';

/** Shows a failed call in a toast. An ended session is left to the page, which leads to the sign-in. */
export function showErrorToast(title: string, error: unknown): void {
  if (!hasErrorCode(error, 'not_signed_in')) showToast({ title, description: errorMessage(error), destructive: true });
}
