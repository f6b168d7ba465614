import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.attention;

/** What an administrator should look at, and the page with its rows. */
export type AttentionItem = { label: string; to: string };

/** What billing needs an administrator for. */
export function listPaymentItems({ failing, doubled }: Pick<PaymentHealth, 'failing' | 'doubled'>): AttentionItem[] {
  const items = [
    { count: failing.length, label: text.failing },
    { count: doubled.length, label: text.doubled },
  ];
  return items
    .filter(({ count }) => count > 0)
    .map(({ count, label }) => ({ label: label(count), to: adminPages.inbox }));
}
