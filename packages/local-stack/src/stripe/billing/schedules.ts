import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { saveSubscription } from './save-subscription.ts';
import {
  getSubscriptionItem,
  priceFields,
  requireInterval,
  type Subscription,
  withItem,
} from './subscription-items.ts';

export type Schedule = Tables['subscriptionSchedules'];

/**
 * Returns a subscription with the price and the discounts of the phase that starts at the end of its period. If no
 * phase starts then, returns the subscription unchanged. A different interval starts a new billing cycle. Doesn't store
 * anything.
 */
export function applyNextPhase(context: Context, subscription: Subscription): Subscription {
  const { current_period_end: start, price: before } = getSubscriptionItem(subscription);
  const schedule = context.store.get('subscriptionSchedules', idOf(subscription.schedule) ?? '');
  const phase = schedule?.phases.find(({ start_date }) => start_date === start);
  if (!phase) return subscription;
  const price = getRow(context, 'prices', { id: idOf(phase.items[0]?.price) ?? '' });
  const isSameInterval = requireInterval(price).interval === requireInterval(before).interval;
  return {
    ...subscription,
    billing_cycle_anchor: isSameInterval ? subscription.billing_cycle_anchor : start,
    discounts: phase.discounts.map(({ discount }) => idOf(discount)).filter((id) => id !== null),
    items: withItem(subscription, priceFields(price)),
  };
}

/** Stores the current phase of a schedule after a renewal. If the last phase has ended, releases the schedule. */
export function advanceSchedule(context: Context, subscription: Subscription): void {
  const schedule = context.store.get('subscriptionSchedules', idOf(subscription.schedule) ?? '');
  if (!schedule) return;
  const start = getSubscriptionItem(subscription).current_period_start;
  const phase = schedule.phases.find(({ start_date, end_date }) => start_date <= start && end_date > start);
  if (!phase) {
    releaseSchedule(context, schedule);
    return;
  }
  const current_phase = { start_date: phase.start_date, end_date: phase.end_date };
  if (schedule.current_phase?.start_date === phase.start_date) return;
  context.save('subscriptionSchedules', 'subscription_schedule.updated', { ...schedule, current_phase });
}

/** Ends a schedule without ending its subscription. */
export function releaseSchedule(context: Context, before: Schedule): Schedule {
  const id = idOf(before.subscription);
  const released = context.save('subscriptionSchedules', 'subscription_schedule.released', {
    ...before,
    current_phase: null,
    released_at: context.now(),
    released_subscription: id,
    status: 'released',
    subscription: null,
  });
  const subscription = context.store.get('subscriptions', id ?? '');
  if (subscription) saveSubscription(context, subscription, { schedule: null });
  return released;
}

/** Cancels the schedule of a subscription that is being canceled. */
export function cancelSchedule({ store, save, now }: Context, subscription: Subscription): void {
  const schedule = store.get('subscriptionSchedules', idOf(subscription.schedule) ?? '');
  if (!schedule) return;
  const ended = { ...schedule, canceled_at: now(), current_phase: null, status: 'canceled' as const };
  save('subscriptionSchedules', 'subscription_schedule.canceled', ended);
}
