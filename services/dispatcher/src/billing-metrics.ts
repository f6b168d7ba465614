import { countBacklog } from '@uprez/db/queries/billing/billing-customers';
import { countDrift } from '@uprez/db/queries/billing/stripe-checks';
import type { Deps } from './deps.ts';

/** Customers and Stripe events that are waiting, counted at each scrape. */
export function registerBillingMetrics({ db, metrics }: Pick<Deps, 'db' | 'metrics'>): void {
  const states = { name: 'stripe_customers', help: 'Customers that must be read from Stripe again.' };
  metrics.gauge({ ...states, labels: ['state'] }, async () => {
    const { pending, failing } = await countBacklog(db);
    return [
      { labels: { state: 'pending' }, value: pending },
      { labels: { state: 'failing' }, value: failing },
    ];
  });
  const age = {
    name: 'stripe_oldest_event_seconds',
    help: 'Age of the oldest pending Stripe event, 0 if there is none.',
  };
  metrics.gauge({ ...age, labels: [] }, async () => [{ labels: {}, value: (await countBacklog(db)).oldestS }]);
  const drift = { name: 'stripe_drift', help: 'What the latest comparison with Stripe found missing or different.' };
  metrics.gauge({ ...drift, labels: ['kind'] }, async () => {
    const { events, subscriptions } = await countDrift(db);
    return [
      { labels: { kind: 'events' }, value: events },
      { labels: { kind: 'subscriptions' }, value: subscriptions },
    ];
  });
  const doubled = { name: 'stripe_doubled_accounts', help: 'Accounts with more than one live subscription.' };
  metrics.gauge({ ...doubled, labels: [] }, async () => [
    { labels: {}, value: (await countDrift(db)).doubledAccounts },
  ]);
}
