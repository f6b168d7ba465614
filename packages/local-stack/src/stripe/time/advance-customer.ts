import * as z from 'zod';
import { isEnded } from '../billing/cancel-subscription.ts';
import { DRAFT_PERIOD_SECONDS } from '../billing/draft-renewal.ts';
import { getSubscriptionItem } from '../billing/subscription-items.ts';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { TableName, Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

/**
 * How far to advance a customer's time: by `seconds`, to the end of the latest subscription's period, or to the
 * customer's next payment attempt.
 */
export const advanceSchema = z.union([
  z.strictObject({ seconds: z.int().positive() }),
  z.strictObject({ until: z.enum(['period_end', 'payment_attempt']) }),
]);

/**
 * Advances the time of one customer by moving all of the customer's stored times back. Emits `customer.updated`.
 * Doesn't run the tasks that become due. Returns how far the time was advanced, in seconds.
 */
export function advanceCustomer(context: Context, id: string, input: z.output<typeof advanceSchema>): number {
  const { store } = context;
  if (getRow(context, 'customers', { id }).test_clock)
    throw invalidRequestError('The time of this customer passes with its test clock.');
  const seconds = 'seconds' in input ? input.seconds : getSecondsUntil(context, id, input.until);
  const aheadSeconds = (store.get('customerClocks', id)?.aheadSeconds ?? 0) + seconds;
  store.put('customerClocks', { id, aheadSeconds });
  const isOfCustomer = ({ customer }: { customer?: string | { id: string } | null }) => idOf(customer) === id;
  const move = <T extends TableName>(table: T, isOwn: (row: Tables[T]) => boolean) => {
    for (const row of store.list(table)) if (isOwn(row)) store.put(table, moveTimes(row, seconds));
  };
  const invoices = new Set(
    store
      .list('invoices')
      .filter(isOfCustomer)
      .map((invoice) => invoice.id),
  );
  move('customers', (customer) => customer.id === id);
  move('charges', isOfCustomer);
  move('checkoutSessions', isOfCustomer);
  move('disputes', ({ charge }) => isOfCustomer(store.get('charges', idOf(charge)) ?? {}));
  move('discounts', isOfCustomer);
  move('invoices', isOfCustomer);
  move('invoicePayments', ({ invoice }) => invoices.has(idOf(invoice)));
  move('paymentIntents', isOfCustomer);
  move('paymentMethods', isOfCustomer);
  move('pendingChanges', (change) => invoices.has(change.id));
  move('refunds', isOfCustomer);
  move('setupIntents', isOfCustomer);
  move('subscriptionSchedules', isOfCustomer);
  move('subscriptions', isOfCustomer);
  advanceDeliveries(context, { customer: id, seconds });
  context.emit('customer.updated', getRow(context, 'customers', { id }));
  return seconds;
}

/** Makes pending deliveries of events about a customer due earlier by `seconds`. */
function advanceDeliveries({ store }: Context, { customer, seconds }: { customer: string; seconds: number }): void {
  for (const delivery of store.list('deliveries')) {
    const object = store.get('events', delivery.event)?.data.object;
    if (delivery.status !== 'pending' || !object || !('customer' in object)) continue;
    if (idOf(object.customer) === customer)
      store.put('deliveries', { ...delivery, due: delivery.due - seconds * 1_000 });
  }
}

/**
 * Returns the seconds until the current period of the latest subscription ends, or until the customer's next payment
 * attempt.
 */
function getSecondsUntil(context: Context, customer: string, until: 'period_end' | 'payment_attempt'): number {
  const { store, now } = context;
  const subscription = store.list('subscriptions').find((one) => idOf(one.customer) === customer && !isEnded(one));
  if (!subscription) throw invalidRequestError('This customer has no subscription.');
  const periodEnd = getSubscriptionItem(subscription).current_period_end;
  const end =
    until === 'period_end' ? periodEnd : (findNextAttempt(context, customer) ?? periodEnd + DRAFT_PERIOD_SECONDS);
  return Math.max(0, end - now());
}

/**
 * Returns the Unix time in seconds at which a customer's next invoice is collected: a draft when it is finalized, or an
 * open invoice when it is retried. Returns undefined if no invoice is scheduled for collection.
 */
function findNextAttempt({ store }: Context, customer: string): number | undefined {
  const times = store
    .list('invoices')
    .filter((invoice) => idOf(invoice.customer) === customer)
    .flatMap(({ status, automatically_finalizes_at: finalizes, next_payment_attempt: attempt }) => {
      if (status === 'draft') return finalizes ?? [];
      return status === 'open' ? (attempt ?? []) : [];
    });
  return times.length > 0 ? Math.min(...times) : undefined;
}

const timeFields = new Set([
  'automatically_finalizes_at',
  'billing_cycle_anchor',
  'cancel_at',
  'canceled_at',
  'created',
  'due_by',
  'current_period_end',
  'current_period_start',
  'effective_at',
  'end',
  'end_date',
  'ended_at',
  'expires_at',
  'finalized_at',
  'next_payment_attempt',
  'paid_at',
  'period_end',
  'period_start',
  'released_at',
  'resumes_at',
  'start',
  'start_date',
  'subscription_proration_date',
  'updated_at',
  'voided_at',
]);

/** Fields that contain catalog objects. Their times aren't moved, because all customers share these objects. */
const sharedFields = new Set(['plan', 'price']);

function moveTimes<T extends object>(object: T, seconds: number): T {
  const copy = structuredClone(object);
  moveTimesInPlace(copy, seconds);
  return copy;
}

function moveTimesInPlace(object: object, seconds: number): void {
  for (const [key, value] of Object.entries(object))
    if (typeof value === 'number' && timeFields.has(key)) Reflect.set(object, key, value - seconds);
    else if (typeof value === 'object' && value !== null && !sharedFields.has(key)) moveTimesInPlace(value, seconds);
}
