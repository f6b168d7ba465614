import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import { useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { api } from '../../../lib/api/api.ts';
import { describeError } from '../../../lib/api/api-errors.ts';
import { useStoreBilling } from '../../../lib/billing/use-billing.ts';
import { showToast } from '../../../lib/notifications/toast-store.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { billingMessages } from '../messages.ts';
import {
  findPack,
  findPurchaseState,
  omitReturnParams,
  omitSecretParams,
  type PurchaseReturn,
  readPurchaseReturn,
  secretParamNames,
} from './purchase-return.ts';

export function PurchaseResult() {
  const [query, setQuery] = useSearchParams();
  const returned = readPurchaseReturn(query);
  const hasSecret = secretParamNames.some((name) => query.has(name));
  useEffect(() => {
    if (hasSecret) setQuery(omitSecretParams, { replace: true, preventScrollReset: true });
  }, [hasSecret, setQuery]);
  const leave = () => setQuery(omitReturnParams, { replace: true, preventScrollReset: true });
  return returned && <Result returned={returned} onActive={leave} />;
}

const text = billingMessages.result;

type StatusProps = ReturnType<typeof usePurchase>;

function Status({ state, isLate, error, checkAgain }: StatusProps) {
  const check = (
    <Button look="secondary" size="small" onClick={checkAgain}>
      {text.check}
    </Button>
  );
  if (state === 'failed')
    return (
      <Notice kind="danger">
        <div className="flex flex-wrap items-center justify-between gap-3">
          <div className="min-w-0">
            <p className="font-medium">{billingMessages.payment.failed}</p>
            <p>{text.declined}</p>
          </div>
          <Link to={paths.pricing} className={buttonStyle({ look: 'secondary', size: 'small' })}>
            {text.plans}
          </Link>
        </div>
      </Notice>
    );
  const sentence = error
    ? `${text.unknown} ${describeError(error)}`
    : state === 'processing'
      ? text.processing
      : isLate
        ? text.late
        : text.checking;
  return (
    <Notice kind={error ? 'warning' : 'info'}>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span role="status">{sentence}</span>
        {(error || isLate) && check}
      </div>
    </Notice>
  );
}

function Result({ returned, onActive }: { returned: PurchaseReturn; onActive: () => void }) {
  const purchase = usePurchase(returned, onActive);
  if (purchase.state === 'active') return null;
  return (
    <section aria-label={text.region}>
      <Status {...purchase} />
    </section>
  );
}

const paymentText = billingMessages.payment;

const pollMs = 2_000;

/** After this many polls, the user is told that the payment is taking longer. Polling continues. */
const quickPolls = 10;

/**
 * Polls a purchase until it has succeeded or failed. The first request checks with the payment provider. Later ones
 * read the billing state, which the provider's events update.
 */
function usePurchase(returned: PurchaseReturn, onActive: () => void) {
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
