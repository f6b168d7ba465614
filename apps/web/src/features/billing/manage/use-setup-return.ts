import { useEffect } from 'react';
import { useSearchParams } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { useResourceMutation } from '../../../lib/api/use-resource-mutation.ts';
import { useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { billingMessages } from '../messages.ts';
import { readReturn, withoutReturn } from '../result/purchase-return.ts';

const text = billingMessages.card;

/** Completes a change of the payment method that was confirmed on a page of its own, such as PayPal's. */
export function useSetupReturn(): void {
  const [query, setQuery] = useSearchParams();
  const store = useStoreBilling();
  const { mutate } = useResourceMutation({
    call: async () => (await api.refreshBilling({ body: {} })).data,
    onSuccess: (billing) => {
      store(billing);
      showToast({ title: text.saved });
    },
    errorTitle: text.failed,
  });
  const hasFailed = readReturn(query)?.hasFailed;
  useEffect(() => {
    if (hasFailed === undefined) return;
    setQuery(withoutReturn, { replace: true, preventScrollReset: true });
    if (hasFailed) showToast({ title: text.failed, description: text.notConfirmed, destructive: true });
    else mutate();
  }, [hasFailed, setQuery, mutate]);
}
