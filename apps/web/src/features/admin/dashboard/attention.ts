import type { UserStatus } from '@uprez/contracts/policy/tables';
import type { TicketFilter } from '@uprez/contracts/policy/tickets';
import type { Attention } from '@uprez/contracts/schemas/admin';
import type { PaymentHealth } from '@uprez/contracts/schemas/billing/admin-payments';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { jobsOf } from '../jobs/links.ts';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.attention;
const ticketsIn = (state: TicketFilter) => `${adminPages.tickets}?state=${state}`;
const webhookUsers = `${adminPages.users}?status=${'webhooks' satisfies UserStatus}`;

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

/** Tickets without a reply, unusual activity, emails that weren't sent, webhook endpoints that fail or were disabled, and jobs that don't proceed. */
export function listSiteItems({ anomalies, mails, webhooks, jobs, tickets }: Attention): AttentionItem[] {
  const items = [
    { count: tickets?.open ?? 0, label: text.openTickets, to: ticketsIn('open') },
    { count: tickets?.overdue ?? 0, label: text.overdueTickets, to: ticketsIn('overdue') },
    { count: anomalies ?? 0, label: text.anomalies, to: adminPages.accessLog },
    { count: mails?.failed ?? 0, label: text.failedMails, to: adminPages.settingsEmail },
    { count: mails?.overdue ?? 0, label: text.overdueMails, to: adminPages.settingsEmail },
    { count: webhooks?.failing ?? 0, label: text.failingWebhooks, to: webhookUsers },
    { count: webhooks?.disabled ?? 0, label: text.disabledWebhooks, to: webhookUsers },
    { count: jobs?.stuck ?? 0, label: text.stuckJobs, to: jobsOf({ view: 'stuck' }) },
    { count: jobs?.dead ?? 0, label: text.deadJobs, to: jobsOf({ view: 'dead_today' }) },
  ];
  return items.filter(({ count }) => count > 0).map(({ count, label, ...item }) => ({ ...item, label: label(count) }));
}
