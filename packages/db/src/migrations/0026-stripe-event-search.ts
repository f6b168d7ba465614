import type { Migration } from 'kysely';
import { runAll } from '../run-all.ts';

const indexes = {
  stripe_events_customer: 'stripe_events (customer_id)',
  stripe_events_object: 'stripe_events (object_id)',
  stripe_events_payment: 'stripe_events (payment_intent_id) where payment_intent_id is not null',
};

/** Indexes for the searches of administrators among events. */
export const stripeEventSearch: Migration = {
  up: runAll(Object.entries(indexes).map(([name, on]) => `create index ${name} on ${on}`)),
  down: runAll(Object.keys(indexes).map((name) => `drop index ${name}`)),
};
