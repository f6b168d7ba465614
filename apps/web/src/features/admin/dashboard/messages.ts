import { formatPrice, pluralize } from '@uprez/contracts/texts/format';
import { productName } from '../../../messages.ts';

export const dashboardMessages = {
  title: 'Dashboard',
  subtitle: `Welcome to ${productName} admin dashboard`,
  stats: {
    label: 'Site totals',
    totalUsers: 'Total Users',
    activeSubscriptions: 'Active Subscriptions',
    monthlyRevenue: 'Monthly Revenue',
    loading: '...',
    /** Amounts are US dollars. */
    revenue: (total: number, mrr: number) =>
      `Total revenue: ${formatPrice(total)}. Monthly recurring revenue: ${formatPrice(mrr)}.`,
  },
  attention: {
    title: 'Needs attention',
    openTickets: (count: number) => `${pluralize(count, 'open ticket')} in the inbox`,
    overdueTickets: (count: number) => `${pluralize(count, 'ticket is', 'tickets are')} overdue`,
    failing: (count: number) => `${pluralize(count, 'customer')} couldn't be synced with Stripe`,
    anomalies: (count: number) => `${pluralize(count, 'unusual event')} to review`,
    failedMails: (count: number) => `${pluralize(count, 'email')} couldn't be sent in the last 24 hours`,
    overdueMails: (count: number) =>
      `${pluralize(count, 'email has', 'emails have')} been waiting for more than 15 minutes. Check the mail server.`,
    failingWebhooks: (count: number) =>
      `${pluralize(count, 'webhook endpoint has', 'webhook endpoints have')} been failing for more than an hour`,
    disabledWebhooks: (count: number) =>
      `${pluralize(count, 'webhook endpoint was', 'webhook endpoints were')} disabled in the last 7 days because deliveries failed`,
    stuckJobs: (count: number) => pluralize(count, 'stuck job'),
    deadJobs: (count: number) => `${pluralize(count, 'job')} failed with a processing error in the last 24 hours`,
    doubled: (count: number) => `${pluralize(count, 'account')} with more than one subscription`,
  },
} as const;
