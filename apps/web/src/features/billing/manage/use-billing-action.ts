import { useQueryClient } from '@tanstack/react-query';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode, ShownError, showErrorToast } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { billingKey, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { billingMessages } from '../messages.ts';
import { openStripe } from '../payment/open-stripe.ts';

class PaymentError extends ShownError {}

type PaymentOutcome = { clientSecret: string | null; billing: Billing };

/** Completes a payment in the browser if needed, such as with 3-D Secure. Throws PaymentError. */
async function completePayment({ clientSecret, billing }: PaymentOutcome): Promise<Billing> {
  if (clientSecret === null) return billing;
  const { stripe } = await openStripe();
  const { error } = await stripe.handleNextAction({ clientSecret });
  if (error) throw new PaymentError(error.message ?? billingMessages.payment.notConfirmed);
  return (await api.refreshBilling({ body: {} })).data;
}

type Outcome = Billing | PaymentOutcome;

type BillingAction<Input> = {
  call: (input: Input) => Promise<{ data: Outcome }>;
  /** Returns the title of the toast on success. */
  done: (billing: Billing) => string;
  /** Title of the toast on failure. Without it, the caller shows the error. */
  failed?: string;
  onDone?: () => void;
  /** Called on failure, even if no toast is shown. */
  onFailed?: (error: Error) => void;
  isSilent?: (error: Error) => boolean;
};

/**
 * Returns a mutation that changes the subscription. Completes the payment if one is needed, stores the new billing
 * state, and shows the outcome in a toast.
 */
export function useBillingAction<Input = void>({
  call,
  done,
  failed,
  onDone,
  onFailed,
  isSilent,
}: BillingAction<Input>) {
  const queryClient = useQueryClient();
  const store = useStoreBilling();
  return useResourceMutation({
    call: async (input: Input) => {
      const { data } = await call(input);
      return 'billing' in data ? completePayment(data) : data;
    },
    onSuccess: (billing) => {
      store(billing);
      showToast({ title: done(billing) });
      onDone?.();
    },
    onError: (error) => {
      if (failed !== undefined && !isSilent?.(error)) showBillingError(failed, error);
      onFailed?.(error);
      // Refetches the state, because a payment may have failed in the browser after the server changed the
      // subscription, or another tab may have changed it.
      void queryClient.invalidateQueries({ queryKey: billingKey });
    },
  });
}

function showBillingError(title: string, error: unknown): void {
  const isDeclined = error instanceof PaymentError || hasErrorCode(error, 'payment_declined');
  showErrorToast(isDeclined ? billingMessages.payment.failed : title, error);
}
