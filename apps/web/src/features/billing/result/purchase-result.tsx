import { useEffect } from 'react';
import { Link, useSearchParams } from 'react-router';
import { errorMessage } from '../../../lib/api/api-errors.ts';
import { paths } from '../../../site-map.ts';
import { Button, buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { billingMessages } from '../messages.ts';
import { type PurchaseReturn, readReturn, secretNames, withoutReturn, withoutSecrets } from './purchase-return.ts';
import { usePurchase } from './use-purchase.ts';

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
    ? `${text.unknown} ${errorMessage(error)}`
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

/** Says how the purchase went that led to this page. */
export function PurchaseResult() {
  const [query, setQuery] = useSearchParams();
  const returned = readReturn(query);
  const hasSecret = secretNames.some((name) => query.has(name));
  useEffect(() => {
    if (hasSecret) setQuery(withoutSecrets, { replace: true, preventScrollReset: true });
  }, [hasSecret, setQuery]);
  const leave = () => setQuery(withoutReturn, { replace: true, preventScrollReset: true });
  return returned && <Result returned={returned} onActive={leave} />;
}
