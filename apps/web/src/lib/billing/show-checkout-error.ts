import { ApiError } from '@uprez/client/api-error';
import { describeError, hasErrorCode } from '../api/api-errors.ts';
import { showToast } from '../notifications/toast-store.ts';

const title = 'Checkout Error';
const failedMessage = 'Failed to create checkout session';

/** Shows why the payment page can't be opened. Ignores an ended session, which the page handles. */
export function showCheckoutError(error: unknown): void {
  if (hasErrorCode(error, 'not_signed_in')) return;
  const description = error instanceof ApiError && error.sentence ? describeError(error) : failedMessage;
  showToast({ title, description, destructive: true });
}
