import type { Interval } from '@uprez/payments/prices';
import { createSchedule, getSchedule, setNextPrice } from '@uprez/payments/subscription-schedules';
import { getSubscription } from '@uprez/payments/subscriptions';
import type { Call, Step } from '../calls/call-kind.ts';

/** Price that follows the current period. */
export type NextPrice = { priceId: string; interval: Interval };

/** Creates the two steps that schedule a price. `read` returns the price to schedule for a call, or null for none. */
export const makeScheduleSteps = <Request extends { subscriptionId: string }>(
  read: (call: Call<Request>) => NextPrice | null,
): Step<Request>[] => [
  {
    name: 'schedule',
    send: async ({ payments }, call, idempotencyKey) => {
      const { subscriptionId } = call.request;
      if (!read(call)) return {};
      const { subscription } = await getSubscription(payments, subscriptionId);
      const known = subscription.scheduleId;
      return { scheduleId: known ?? (await createSchedule(payments, { subscriptionId, idempotencyKey })).id };
    },
    find: async ({ payments }, call) => {
      if (!read(call)) return {};
      const { scheduleId } = (await getSubscription(payments, call.request.subscriptionId)).subscription;
      return scheduleId ? { scheduleId } : undefined;
    },
  },
  {
    name: 'next_price',
    send: async ({ payments }, call, idempotencyKey) => {
      const next = read(call);
      if (!next) return {};
      const { id, currentPhase } = await getSchedule(payments, call.stripeIds.scheduleId ?? '');
      if (!currentPhase) throw new Error('The schedule has no current phase.');
      const schedule = { id, currentPhase };
      await setNextPrice(payments, {
        schedule,
        nextPriceId: next.priceId,
        nextInterval: next.interval,
        idempotencyKey,
      });
      return {};
    },
    find: async ({ payments }, call) => {
      const next = read(call);
      if (!next) return {};
      const { nextPhase } = await getSchedule(payments, call.stripeIds.scheduleId ?? '');
      return nextPhase?.priceId === next.priceId ? {} : undefined;
    },
  },
];
