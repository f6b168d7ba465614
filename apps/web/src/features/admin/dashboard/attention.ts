import type { Attention } from '@uprez/contracts/schemas/admin';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.attention;

/** What an administrator should look at, and the page with its rows, if there is one. */
export type AttentionItem = { label: string; to?: string };

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

/** Unusual activity, and emails that weren't sent. */
export function listSecurityItems({ anomalies, mails }: Attention): AttentionItem[] {
  const items = [
    { count: anomalies ?? 0, label: text.anomalies, to: adminPages.accessLog },
    { count: mails?.failed ?? 0, label: text.failedMails },
    { count: mails?.overdue ?? 0, label: text.overdueMails },
  ];
  return items.filter(({ count }) => count > 0).map(({ count, label, ...item }) => ({ ...item, label: label(count) }));
}
