import { useQueryClient } from '@tanstack/react-query';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { billingKey, useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { completePayment } from '../payment/complete-payment.ts';
import { showBillingError } from '../payment/show-billing-error.ts';

type Outcome = Billing | { clientSecret: string | null; billing: Billing };

type BillingAction<Input> = {
  call: (input: Input) => Promise<{ data: Outcome }>;
  /** The toast after it has worked. */
  done: (billing: Billing) => string;
  /** The title of the toast after it has failed. Without it, the caller shows the error. */
  failed?: string;
  onDone?: () => void;
  /** Called in addition to the toast. */
  onFailed?: (error: Error) => void;
  /** Errors without a toast. */
  isSilent?: (error: Error) => boolean;
};

/** A call that changes the subscription. Completes its payment, stores the new state, and says how it went. */
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
      // A payment that failed in the browser, or a change elsewhere, has left another state.
      void queryClient.invalidateQueries({ queryKey: billingKey });
    },
  });
}
