import { countBacklog } from '@uprez/db/queries/billing/billing-customers';
import type { Deps } from './deps.ts';

/** Customers and events of Stripe that are waiting, counted at each scrape. */
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
    help: 'Age of the oldest pending event of Stripe, 0 if there is none.',
  };
  metrics.gauge({ ...age, labels: [] }, async () => [{ labels: {}, value: (await countBacklog(db)).oldestS }]);
}
