import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { formatCount } from '@uprez/contracts/texts/format';
import { formatDateTime } from '../../../lib/format/format.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { AccountCell } from './cells.tsx';
import { paymentMessages } from './messages.ts';

const text = paymentMessages.health;
export const healthKey = [adminRoutes.adminPaymentHealth.path] as const;

function Fact({ name, value, note }: { name: string; value: string; note?: string | null }) {
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-muted text-xs">{name}</dt>
      <dd className="font-medium text-sm tabular-nums wrap-anywhere">
        {value}
        {note && <span className="block font-normal text-muted text-xs">{note}</span>}
      </dd>
    </div>
  );
}

function Facts({ health }: { health: PaymentHealth }) {
  const { account, pendingEvents, oldestPendingAt, pendingCustomers, drift } = health;
  return (
    <dl className="grid grid-cols-2 gap-4 lg:grid-cols-4">
      <Fact name={text.account} value={account?.id ?? text.none} note={account && text.mode[account.mode]} />
      <Fact
        name={text.pending}
        value={formatCount(pendingEvents)}
        note={oldestPendingAt && text.oldest(formatDateTime(oldestPendingAt))}
      />
      <Fact name={text.customers} value={formatCount(pendingCustomers)} />
      <Fact
        name={text.drift}
        value={drift ? formatCount(drift.found) : text.never}
        note={drift && text.compared(drift.checked, formatDateTime(drift.at))}
      />
    </dl>
  );
}

export function HealthCard() {
  const query = useQuery<PaymentHealth>({ queryKey: healthKey, refetchOnMount: 'always' });
  return (
    <Card title={text.title}>
      <QueryView query={query} skeleton={<Skeleton className="h-12" />}>
        {(health) => (
          <>
            <Facts health={health} />
            {!health.isConfigured && <Notice kind="warning">{text.keys}</Notice>}
            {health.failing.length > 0 && (
              <Notice kind="warning">
                <p className="font-medium">{text.failing(health.failing.length)}</p>
                <ul className="mt-2 grid gap-2">
                  {health.failing.map(({ customerId, account, failures, error, retryAt }) => (
                    <li key={customerId} className="grid">
                      <AccountCell account={account} id={customerId} />
                      <span className="text-muted text-xs">{text.failure(failures, formatDateTime(retryAt))}</span>
                      {error && <code className="text-xs">{error}</code>}
                    </li>
                  ))}
                </ul>
              </Notice>
            )}
            {health.doubled.length > 0 && (
              <Notice kind="danger">
                <p className="font-medium">{text.doubled(health.doubled.length)}</p>
                <ul className="mt-2 grid gap-2">
                  {health.doubled.map(({ account, subscriptionIds }) => (
                    <li key={subscriptionIds[0]} className="grid">
                      <AccountCell account={account} id={subscriptionIds[0] ?? ''} />
                      <code className="text-xs">{subscriptionIds.join(', ')}</code>
                    </li>
                  ))}
                </ul>
              </Notice>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}
