import type { Tier } from '@uprez/contracts/policy/plans';
import { plans } from '@uprez/contracts/policy/plans';
import { pluralize } from '@uprez/contracts/texts/format';

const intervals = { month: 'monthly', year: 'yearly' };

export const paymentMessages = {
  account: 'Account',
  amount: 'Amount',
  status: 'Status',
  created: 'Created',
  subscriptions: {
    title: 'Subscriptions',
    subtitle: 'Plans that accounts pay for',
    caption: 'Subscriptions',
    plan: 'Plan',
    planName: (tier: Tier, interval: 'month' | 'year') => `${plans[tier].name}, ${intervals[interval]}`,
    renewal: 'Period ends',
    empty: { title: 'No subscriptions yet', text: 'Subscriptions appear here when an account buys a plan.' },
    cancels: (date: string) => `Cancels ${date}`,
    paused: (date: string) => `Paused until ${date}`,
    ended: (date: string) => `Ended ${date}`,
    unpaid: (amount: string) => `${amount} unpaid`,
  },
  inbox: {
    title: 'Webhook inbox',
    subtitle: 'Events that Stripe sent, and whether their effects are stored',
    caption: 'Events',
    event: 'Event',
    about: 'About',
    received: 'Received',
    empty: { title: 'No events yet', text: 'Events appear here when Stripe sends them.' },
    retry: 'Read again',
    retried: 'The event is read again',
    retryFailed: "Couldn't retry event",
  },
  health: {
    title: 'Health',
    account: 'Stripe account',
    mode: { test: 'test mode', live: 'live mode' },
    none: 'Not connected yet',
    keys: "This server has no Stripe keys. Plans can't be bought.",
    pending: 'Pending events',
    oldest: (time: string) => `oldest from ${time}`,
    customers: 'Customers to read',
    failing: (count: number) => `${pluralize(count, 'customer')} couldn't be read`,
    failure: (failures: number, retry: string) => `${pluralize(failures, 'failed attempt')}, next ${retry}`,
    doubled: (count: number) =>
      `${pluralize(count, 'account has', 'accounts have')} more than one subscription. Cancel and refund one of them.`,
  },
};
