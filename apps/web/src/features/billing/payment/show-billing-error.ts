import { hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { billingMessages } from '../messages.ts';
import { PaymentError } from './complete-payment.ts';

/** Shows a failed call in a toast. A declined payment has its own title. */
export function showBillingError(title: string, error: unknown): void {
  const isDeclined = error instanceof PaymentError || hasErrorCode(error, 'payment_declined');
  showErrorToast(isDeclined ? billingMessages.payment.failed : title, error);
}
