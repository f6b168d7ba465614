import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { currentPlans } from '@uprez/contracts/policy/plans';
import type { TopAccount } from '@uprez/contracts/schemas/analytics';
import { formatCount } from '@uprez/contracts/texts/format';
import { Link } from 'react-router';
import { EmptyState } from '../../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../../ui/feedback/query-view.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { adminApi } from '../admin-api.ts';
import { userPath } from '../frame/user-path.ts';
import { analyticsMessages } from './messages.ts';
import { ReportTable } from './report-table.tsx';
import { usePeriod } from './use-period.ts';

const text = analyticsMessages.usage;

/** The name and the email address of an account. Leads to its page. */
function AccountName({ id, email, name }: TopAccount) {
  const label = (
    <span className="grid wrap-anywhere">
      {name && <span className="font-medium">{name}</span>}
      <span className={name ? 'text-muted text-xs' : undefined}>{email}</span>
    </span>
  );
  return (
    <Link
      to={userPath(id)}
      className="inline-block rounded-control underline decoration-line underline-offset-4 hover:decoration-current"
    >
      {label}
    </Link>
  );
}

const columns = [
  { name: text.account, cell: (row: TopAccount) => <AccountName {...row} /> },
  { name: text.plan, cell: ({ plan }: TopAccount) => currentPlans[plan].name },
  { name: text.images, cell: ({ images }: TopAccount) => formatCount(images), isNumeric: true },
  { name: text.webColumn, cell: ({ web }: TopAccount) => formatCount(web), isNumeric: true },
  { name: text.apiColumn, cell: ({ api }: TopAccount) => formatCount(api), isNumeric: true },
  { name: text.failed, cell: ({ failed }: TopAccount) => formatCount(failed), isNumeric: true },
];

/** The accounts with most delivered images. */
export function TopAccountsCard() {
  const [period] = usePeriod();
  const query = useQuery({
    queryKey: [adminRoutes.adminTopAccounts.path, { period }],
    queryFn: async ({ signal }) => (await adminApi.adminTopAccounts({ query: { period }, signal })).data,
    refetchOnMount: 'always',
  });
  return (
    <Card title={text.accounts}>
      <p className="text-muted text-sm">{text.formulas.accounts}</p>
      <QueryView query={query} skeleton={<Skeleton className="h-40" />} empty={<EmptyState {...text.noAccounts} />}>
        {(rows) => <ReportTable caption={text.accounts} rows={rows} columns={columns} keyOf={({ id }) => id} />}
      </QueryView>
    </Card>
  );
}
