import * as z from 'zod';
import type { Interval } from './catalog.ts';
import type { Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls } from './transport/calls.ts';
import { appName, idField, optionalIdField, timeField, toSeconds } from './transport/fields.ts';

export type Schedule = z.output<typeof scheduleSchema>;

const discountSchema = z
  .object({ coupon: optionalIdField, discount: optionalIdField, promotion_code: optionalIdField })
  .transform(({ coupon, discount, promotion_code }) => ({
    couponId: coupon,
    discountId: discount,
    promotionCodeId: promotion_code,
  }));
const phaseSchema = z
  .object({
    start_date: timeField,
    end_date: timeField,
    items: z.array(z.object({ price: idField })).min(1),
    discounts: z.array(discountSchema),
  })
  .transform(({ start_date, end_date, items, discounts }) => ({
    startsAt: start_date,
    endsAt: end_date,
    priceId: items[0]?.price ?? '',
    discounts,
  }));

export const scheduleSchema = z
  .object({
    id: z.string(),
    status: z.enum(['not_started', 'active', 'completed', 'released', 'canceled']),
    subscription: optionalIdField,
    current_phase: z.object({ start_date: timeField, end_date: timeField }).nullable(),
    phases: z.array(phaseSchema),
  })
  .transform(({ id, status, subscription, current_phase, phases }) => ({
    id,
    status,
    subscriptionId: subscription,
    currentPhase: phases.find((phase) => phase.startsAt.getTime() === current_phase?.start_date.getTime()) ?? null,
    nextPhase: phases.find((phase) => current_phase && phase.startsAt >= current_phase.end_date) ?? null,
  }));
const scheduleCalls = makeCalls(scheduleSchema);

/** First step of a downgrade: creates a schedule with the current period as its only phase. */
export const createSchedule = (
  payments: Payments,
  input: IdempotentInput & { subscriptionId: string },
): Promise<Schedule> =>
  scheduleCalls.post(payments, input, (stripe, options) =>
    stripe.subscriptionSchedules.create({ from_subscription: input.subscriptionId }, options),
  );

export const getSchedule = (payments: Payments, scheduleId: string): Promise<Schedule> =>
  scheduleCalls.get(payments, (stripe) => stripe.subscriptionSchedules.retrieve(scheduleId));

/**
 * Second step of a downgrade. Schedules the current price until the end of its period, then the next price for one
 * period. The schedule is then released. Discounts are repeated, because Stripe drops discounts that a phase doesn't
 * list.
 */
export function setNextPrice(
  payments: Payments,
  input: IdempotentInput & {
    schedule: Pick<Schedule, 'id'> & { currentPhase: NonNullable<Schedule['currentPhase']> };
    nextPriceId: string;
    nextInterval: Interval;
  },
): Promise<Schedule> {
  const { id, currentPhase } = input.schedule;
  const discounts = currentPhase.discounts.map(toDiscountParam);
  const kept = discounts.length > 0 && { discounts };
  return scheduleCalls.post(payments, input, (stripe, options) =>
    stripe.subscriptionSchedules.update(
      id,
      {
        end_behavior: 'release',
        proration_behavior: 'none',
        phases: [
          {
            items: [{ price: currentPhase.priceId, quantity: 1 }],
            start_date: toSeconds(currentPhase.startsAt),
            end_date: toSeconds(currentPhase.endsAt),
            proration_behavior: 'none',
            ...kept,
          },
          {
            items: [{ price: input.nextPriceId, quantity: 1 }],
            duration: { interval: input.nextInterval, interval_count: 1 },
            proration_behavior: 'none',
            ...kept,
          },
        ],
        metadata: { app: appName },
      },
      options,
    ),
  );
}

/** Prefers the active discount, which keeps its end date. A code or coupon would start a new discount. */
function toDiscountParam({ discountId, promotionCodeId, couponId }: z.output<typeof discountSchema>) {
  if (discountId) return { discount: discountId };
  return promotionCodeId ? { promotion_code: promotionCodeId } : { coupon: couponId ?? '' };
}

/** Cancels a scheduled downgrade. The subscription stays as it is. */
export const releaseSchedule = (
  payments: Payments,
  input: IdempotentInput & { scheduleId: string },
): Promise<Schedule> =>
  scheduleCalls.post(payments, input, (stripe, options) =>
    stripe.subscriptionSchedules.release(input.scheduleId, {}, options),
  );
