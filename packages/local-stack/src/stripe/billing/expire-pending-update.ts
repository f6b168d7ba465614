import type { Context } from '../context.ts';
import { saveSubscription } from './save-subscription.ts';
import type { Subscription } from './subscription-items.ts';
import { voidPendingChange } from './void-invoice.ts';

/** Drops a change that wasn't paid in time, with its invoice. */
export function expirePendingUpdate(context: Context, subscription: Subscription): Subscription {
  voidPendingChange(context, subscription.id);
  const type = 'customer.subscription.pending_update_expired';
  return saveSubscription(context, subscription, { type, pending_update: null });
}
