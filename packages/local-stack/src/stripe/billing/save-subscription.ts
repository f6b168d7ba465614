import type { Context } from '../context.ts';
import type { Subscription } from './subscription-items.ts';

type SubscriptionEventType =
  | 'customer.subscription.deleted'
  | 'customer.subscription.pending_update_applied'
  | 'customer.subscription.pending_update_expired'
  | 'customer.subscription.updated';

/** Stores changes to a subscription, and emits an event that contains the previous values. */
export function saveSubscription(
  { store, emit }: Context,
  before: Subscription,
  { type = 'customer.subscription.updated', ...changes }: Partial<Subscription> & { type?: SubscriptionEventType },
): Subscription {
  const saved = store.put('subscriptions', { ...before, ...changes });
  emit(type, saved, pickChangedFields(before, saved));
  return saved;
}

function pickChangedFields<T extends object>(before: T, after: T): Partial<T> {
  const changed: Partial<T> = { ...before };
  for (const key of Object.keys(before))
    if (JSON.stringify(Reflect.get(before, key)) === JSON.stringify(Reflect.get(after, key)))
      Reflect.deleteProperty(changed, key);
  return changed;
}
