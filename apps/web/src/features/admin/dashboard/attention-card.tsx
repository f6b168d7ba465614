import { useQuery } from '@tanstack/react-query';
import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import type { Attention } from '@uprez/contracts/schemas/admin';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { Link } from 'react-router';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { QueryError } from '../../../ui/feedback/query-error.tsx';
import { useMay } from '../frame/use-may.ts';
import { healthKey } from '../payments/health-card.tsx';
import { type AttentionItem, listPaymentItems, listSiteItems } from './attention.ts';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.attention;

const AttentionList = ({ items }: { items: readonly AttentionItem[] }) => (
  <Notice kind="warning">
    <p className="font-medium">{text.title}</p>
    <ul className="mt-1 grid gap-1">
      {items.map(({ label, to }) => (
        <li key={label}>
          {to ? (
            <Link to={to} className="underline decoration-line underline-offset-4 hover:decoration-current">
              {label}
            </Link>
          ) : (
            label
          )}
        </li>
      ))}
    </ul>
  </Notice>
);

/** What needs an administrator, or that it couldn't be loaded. Nothing is shown while nothing does. */
export function AttentionCard() {
  const enabled = useMay('payments.read');
  const payments = useQuery<PaymentHealth>({ queryKey: healthKey, refetchOnMount: 'always', enabled });
  const site = useQuery<Attention>({ queryKey: [adminRoutes.adminAttention.path], refetchOnMount: 'always' });
  const items = [
    ...(site.data ? listSiteItems(site.data) : []),
    ...(payments.data ? listPaymentItems(payments.data) : []),
  ];
  return (
    <>
      <QueryError query={site} />
      <QueryError query={payments} />
      {items.length > 0 && <AttentionList items={items} />}
    </>
  );
}
