import { useQuery } from '@tanstack/react-query';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { Link } from 'react-router';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { healthKey } from '../payments/health-card.tsx';
import { listPaymentItems } from './attention.ts';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.attention;

/** What needs an administrator. Nothing is shown while nothing does. */
export function AttentionCard() {
  const { data } = useQuery<PaymentHealth>({ queryKey: healthKey, refetchOnMount: 'always' });
  const items = data ? listPaymentItems(data) : [];
  if (items.length === 0) return null;
  return (
    <Notice kind="warning">
      <p className="font-medium">{text.title}</p>
      <ul className="mt-1 grid gap-1">
        {items.map(({ label, to }) => (
          <li key={label}>
            <Link to={to} className="underline decoration-line underline-offset-4 hover:decoration-current">
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
