import type Stripe from 'stripe';
import { calendarOf } from '../billing/calendar.ts';
import { isEnded } from '../billing/cancel-subscription.ts';
import { saveSubscription } from '../billing/save-subscription.ts';
import { releaseSchedule, type Schedule } from '../billing/schedules.ts';
import {
  getRecurringPrice,
  getSubscriptionItem,
  type Period,
  type Subscription,
} from '../billing/subscription-items.ts';
import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata } from '../parameters/merge-field.ts';
import { fillNulls } from '../schemas.ts';
import { invalidRequestError, notServedError } from '../stripe-error.ts';
import type { Wire } from '../wire.ts';

const schedules = defineResource({
  path: '/v1/subscription_schedules',
  object: 'SubscriptionSchedule',
  table: 'subscriptionSchedules',
});

export const subscriptionScheduleCalls = [
  schedules.create({
    serves: ['from_subscription'],
    run: (context, params) => {
      const param = 'from_subscription';
      const subscription = getRow(context, 'subscriptions', { id: params.from_subscription ?? '', param });
      if (isEnded(subscription) || subscription.status === 'incomplete')
        throw invalidRequestError(`You cannot migrate a subscription in \`${subscription.status}\` status.`, { param });
      if (subscription.schedule)
        throw invalidRequestError('You cannot migrate a subscription that is already attached to a schedule.', {
          param,
        });
      if (subscription.cancel_at_period_end)
        throw notServedError("The double doesn't create schedules of subscriptions that will be canceled.", param);
      return createSchedule(context, subscription);
    },
  }),
  schedules.retrieve(),
  schedules.update({
    serves: ['end_behavior', 'metadata', 'phases', 'proration_behavior'],
    run: (context, params, before) => {
      requireActive(before);
      const { end_behavior: end = 'release', proration_behavior: proration = 'none' } = params;
      if (end !== 'release') throw notServedError('The double serves release.', 'end_behavior');
      if (proration !== 'none') throw notServedError('The double serves none.', 'proration_behavior');
      const updated = context.store.put('subscriptionSchedules', {
        ...before,
        metadata: mergeMetadata(before.metadata, params.metadata),
        phases: params.phases ? readPhases(context, before, params.phases) : before.phases,
      });
      context.emit('subscription_schedule.updated', updated, { phases: before.phases });
      return updated;
    },
  }),
  schedules.action('Release', {
    run: (context, _params, schedule) => {
      requireActive(schedule);
      return releaseSchedule(context, schedule);
    },
  }),
];

function requireActive({ status }: Schedule): void {
  if (status !== 'active')
    throw invalidRequestError(
      `You cannot change a subscription schedule that is currently in the \`${status}\` status.`,
    );
}

type PhaseParams = Wire<Stripe.SubscriptionScheduleUpdateParams.Phase>;
type Phase = Schedule['phases'][number];

const servedPhaseParams = ['discounts', 'duration', 'end_date', 'items', 'proration_behavior', 'start_date'];

/**
 * Reads the phases in an update. The first phase must be the current phase. Every other phase starts when the phase
 * before it ends.
 */
function readPhases(context: Context, schedule: Schedule, inputs: readonly PhaseParams[]): Phase[] {
  const current = schedule.current_phase;
  if (inputs[0]?.start_date !== current?.start_date)
    throw invalidRequestError('You can not modify the start date of the current phase.', {
      param: 'phases[0][start_date]',
    });
  if (inputs[0]?.end_date !== current?.end_date)
    throw notServedError('The current phase ends with the current period.', 'phases[0][end_date]');
  const phases: Phase[] = [];
  for (const [index, input] of inputs.entries())
    phases.push(readPhase(context, schedule, { input, index, previous: phases.at(-1) }));
  return phases;
}

interface PhaseInput {
  input: PhaseParams;
  index: number;
  previous: Phase | undefined;
}

function readPhase(context: Context, schedule: Schedule, { input, index, previous }: PhaseInput): Phase {
  const param = `phases[${index}]`;
  const other = Object.keys(input).find((key) => !servedPhaseParams.includes(key));
  if (other) throw notServedError(`The double doesn't serve ${other}.`, `${param}[${other}]`);
  if (input.proration_behavior !== 'none')
    throw notServedError('The double serves none.', `${param}[proration_behavior]`);
  const [item] = input.items;
  if (!item || input.items.length > 1 || (item.quantity ?? 1) !== 1)
    throw notServedError('The double serves one item with a quantity of 1.', `${param}[items]`);
  const price = getRecurringPrice(context, item.price, `${param}[items][0][price]`);
  const start = previous?.end_date ?? Number(input.start_date);
  const end = input.duration ? endOf(context, schedule, { start, duration: input.duration }) : Number(input.end_date);
  if (!(end > start)) throw invalidRequestError('A phase must have an end_date or a duration.', { param });
  const discounts = (input.discounts || []).map(({ discount = '' }) => {
    const field = `${param}[discounts]`;
    if (!discount) throw notServedError('The double serves discounts that run.', field);
    return getRow(context, 'discounts', { id: discount, param: field }).id;
  });
  return makePhase({ price: price.id, discounts, currency: price.currency, period: { start, end } });
}

function endOf(
  context: Context,
  schedule: Schedule,
  { start, duration }: { start: number; duration: NonNullable<PhaseParams['duration']> },
): number {
  const { interval, interval_count = 1 } = duration;
  return calendarOf(context, idOf(schedule.customer)).add(start, { interval, interval_count });
}

/** Creates a schedule with a single phase, which is the subscription's current period. */
function createSchedule(context: Context, subscription: Subscription): Schedule {
  const item = getSubscriptionItem(subscription);
  const period = { start: item.current_period_start, end: item.current_period_end };
  const schedule = fillNulls('SubscriptionSchedule', {
    id: makeId('sub_sched'),
    object: 'subscription_schedule',
    billing_mode: subscription.billing_mode,
    created: context.now(),
    current_phase: { start_date: period.start, end_date: period.end },
    customer: idOf(subscription.customer),
    default_settings: fillNulls('ScheduleDefaultSettings', {
      billing_cycle_anchor: 'automatic',
      collection_method: 'charge_automatically',
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: 'self' },
      },
    }),
    end_behavior: 'release',
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [
      makePhase({
        price: item.price.id,
        discounts: subscription.discounts.map((discount) => idOf(discount)),
        currency: item.price.currency,
        period,
      }),
    ],
    status: 'active',
    subscription: subscription.id,
    test_clock: subscription.test_clock,
  });
  context.save('subscriptionSchedules', 'subscription_schedule.created', schedule);
  saveSubscription(context, subscription, { schedule: schedule.id });
  return schedule;
}

interface PhaseFields {
  price: string;
  discounts: readonly string[];
  currency: string;
  period: Period;
}

const makePhase = ({ price, discounts, currency, period }: PhaseFields): Phase =>
  fillNulls('SchedulePhase', {
    add_invoice_items: [],
    currency,
    default_tax_rates: [],
    discounts: discounts.map((discount) => ({ coupon: null, discount, promotion_code: null })),
    end_date: period.end,
    items: [{ billing_thresholds: null, discounts: [], metadata: {}, plan: price, price, quantity: 1, tax_rates: [] }],
    metadata: {},
    proration_behavior: 'none',
    start_date: period.start,
  });
