import { useQueryClient } from '@tanstack/react-query';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { hasErrorCode, showErrorToast } from '../../../lib/api/api-errors.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { billingKey, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { billingMessages } from '../messages.ts';
import { completePayment, PaymentError } from '../payment/complete-payment.ts';

type Outcome = Billing | { clientSecret: string | null; billing: Billing };

type BillingAction<Input> = {
  call: (input: Input) => Promise<{ data: Outcome }>;
  /** Returns the title of the toast on success. */
  done: (billing: Billing) => string;
  /** Title of the toast on failure. Without it, the caller shows the error. */
  failed?: string;
  onDone?: () => void;
  /** Called on failure, in addition to the toast. */
  onFailed?: (error: Error) => void;
  /** Whether to show no toast for an error. */
  isSilent?: (error: Error) => boolean;
};

/**
 * Returns a mutation that changes the subscription. Completes the payment, stores the new state, and shows the outcome
 * in a toast.
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
      // A payment that failed in the browser, or a change elsewhere, may have changed the state.
      void queryClient.invalidateQueries({ queryKey: billingKey });
    },
  });
}

/** Shows a failed call in a toast. A declined payment has its own title. */
function showBillingError(title: string, error: unknown): void {
  const isDeclined = error instanceof PaymentError || hasErrorCode(error, 'payment_declined');
  showErrorToast(isDeclined ? billingMessages.payment.failed : title, error);
}
