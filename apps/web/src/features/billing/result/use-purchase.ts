import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { useEffect, useRef } from 'react';
import { api } from '../../../lib/api/api.ts';
import { useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { billingMessages } from '../messages.ts';
import { findPack, findPurchaseState, type PurchaseReturn } from './purchase-return.ts';

const paymentText = billingMessages.payment;
const pollMs = 2_000;
/** Afterwards, the state is still read, but people are told that it takes longer. */
const quickPolls = 10;

/** Checks a purchase directly at first, then reads what events have changed, until it has succeeded or failed. */
export function usePurchase(returned: PurchaseReturn, onActive: () => void) {
  const store = useStoreBilling();
  const toasted = useRef(false);
  const reads = useRef(0);
  const query = useQuery<Billing>({
    queryKey: [apiRoutes.refreshBilling.path, returned],
    queryFn: async () => {
      reads.current += 1;
      if (reads.current > 1) return (await api.billing()).data;
      return (await api.refreshBilling({ body: { ...(returned.checkout && { checkout: returned.checkout }) } })).data;
    },
    gcTime: 0,
    refetchInterval: ({ state: { data } }) => {
      const state = data ? findPurchaseState(data, returned) : 'waiting';
      return state === 'waiting' || state === 'processing' ? pollMs : false;
    },
  });
  const { data } = query;
  const state = data && findPurchaseState(data, returned);
  useEffect(() => {
    if (toasted.current || !data || (state !== 'active' && state !== 'failed')) return;
    toasted.current = true;
    store(data);
    if (state === 'active') {
      const pack = findPack(data, returned);
      showToast(pack ? paymentText.packAdded(pack) : paymentText.successful);
      onActive();
    }
  }, [data, state, store, onActive, returned]);
  const checkAgain = () => {
    reads.current = 0;
    void query.refetch();
  };
  return { state, isLate: reads.current > quickPolls, error: data ? null : query.error, checkAgain };
}
