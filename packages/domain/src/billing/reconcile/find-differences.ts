import type { StoredSubscription } from '@uprez/db/queries/billing/stored-subscriptions';
import type { toSubscriptionRow } from '../mirror/to-rows.ts';

type Listed = NonNullable<ReturnType<typeof toSubscriptionRow>>;

/** The names of the columns in which a stored subscription differs from what Stripe says. */
export const findDifferences = (stored: StoredSubscription, listed: Listed): string[] =>
  (Object.keys(listed) as (keyof Listed)[]).filter((name) => toValue(stored[name]) !== toValue(listed[name]));

const toValue = (value: unknown) => (value instanceof Date ? Number(value) : (value ?? null));
