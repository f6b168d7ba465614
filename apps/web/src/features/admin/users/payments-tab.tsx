import { useQuery } from '@tanstack/react-query';
import type { AdminSubscription, AdminTransaction } from '@uprez/contracts/schemas/billing/admin-payments';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { describeCancellation } from '@uprez/contracts/texts/billing';
import { formatMoney } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { searchName } from '../../../ui/controls/search-field.tsx';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { hasShownError, QueryError, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { adminMessages } from '../messages.ts';
import { StatusCell, TimeCell } from '../payments/cells.tsx';
import { describeNextEvent, noteOfTransaction } from '../payments/describe-payment.ts';
import { paymentMessages } from '../payments/messages.ts';
import { userMessages } from './messages.ts';
import { type PlainColumn, QueryTable } from './plain-table.tsx';
import { userKeyOf } from './queries.ts';

const text = userMessages.payments;

const pageSize = 25;

const subscriptionColumns: PlainColumn<AdminSubscription>[] = [
  { name: text.plan, cell: ({ tier, interval }) => paymentMessages.subscriptions.planName(tier, interval) },
  { name: paymentMessages.status, cell: (row) => <StatusCell status={row.badge} note={formatCancellation(row)} /> },
  { name: paymentMessages.amount, cell: formatMoney },
  { name: paymentMessages.subscriptions.next, cell: (row) => describeNextEvent(row) ?? '-' },
];

const transactionColumns: PlainColumn<AdminTransaction>[] = [
  {
    name: text.invoice,
    cell: ({ description, invoice, id }) => (
      <span className="grid">
        {description}
        <code className="text-muted text-xs">{invoice?.number ?? invoice?.id ?? id}</code>
      </span>
    ),
  },
  { name: paymentMessages.status, cell: (row) => <StatusCell status={row.badge} note={noteOfTransaction(row)} /> },
  { name: paymentMessages.amount, cell: formatMoney },
  { name: paymentMessages.created, cell: ({ createdAt }) => <TimeCell at={createdAt} /> },
];

export function PaymentsTab({ userId }: { userId: string }) {
  const subscriptions = useUserSubscriptions(userId);
  const transactions = useQuery({
    queryKey: userKeyOf(userId, 'transactions'),
    queryFn: async ({ signal }) =>
      (await adminApi.adminListTransactions({ query: { search: userId, limit: pageSize }, signal })).data,
    refetchOnMount: 'always',
  });
  const skeleton = <Skeleton className="h-32 rounded-card" />;
  const linkOf = (to: string, title: string) => (
    <AllLink to={to} userId={userId} label={`${text.showAll}: ${title.toLowerCase()}`} />
  );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Card title={text.subscriptions} actions={linkOf(adminPages.payments, text.subscriptions)}>
        <QueryTable
          query={subscriptions}
          skeleton={skeleton}
          empty={<EmptyState {...text.noSubscriptions} />}
          caption={text.subscriptions}
          columns={subscriptionColumns}
          rowKey={({ id }) => id}
        />
      </Card>
      <Card title={text.transactions} actions={linkOf(adminPages.transactions, text.transactions)}>
        <QueryTable
          query={transactions}
          skeleton={skeleton}
          empty={<EmptyState {...text.noTransactions} />}
          caption={text.transactions}
          columns={transactionColumns}
          rowKey={({ id }) => id}
        />
      </Card>
    </div>
  );
}

const formatCancellation = ({ cancellation }: AdminSubscription) =>
  cancellation && describeCancellation(cancellation).join('\n');

const AllLink = ({ to, userId, label }: { to: string; userId: string; label: string }) => (
  <Link
    to={`${to}?${new URLSearchParams({ [searchName]: userId })}`}
    aria-label={label}
    className={buttonStyle({ look: 'secondary', size: 'small' })}
  >
    {text.showAll}
  </Link>
);

const useUserSubscriptions = (userId: string) =>
  useQuery({
    queryKey: userKeyOf(userId, 'subscriptions'),
    queryFn: async ({ signal }) =>
      (await adminApi.adminListSubscriptions({ query: { search: userId, limit: pageSize }, signal })).data,
    refetchOnMount: 'always',
  });

export function SubscriptionFact({ userId }: { userId: string }) {
  const query = useUserSubscriptions(userId);
  const { data } = query;
  if (hasShownError(query)) return <QueryError query={query} />;
  if (!data) return '...';
  const live = data.find(({ endedAt }) => endedAt === null);
  if (!live) return userMessages.overview.none;
  const { tier, interval, badge } = live;
  const parts = [
    paymentMessages.subscriptions.planName(tier, interval),
    adminMessages.table.statuses[badge],
    describeNextEvent(live),
  ];
  return (
    <Link to="?tab=payments" className="underline decoration-line underline-offset-4 hover:decoration-current">
      {parts.filter(Boolean).join('. ')}
    </Link>
  );
}
