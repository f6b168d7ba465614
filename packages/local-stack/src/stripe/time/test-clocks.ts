import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { TableName, Tables } from '../state/tables.ts';

type TestClock = Tables['testClocks'];
type Clock = Pick<Context, 'now' | 'store'>;

/**
 * Returns the current Unix time for a customer, in seconds. This is the time of the customer's test clock, or the
 * double's time if the customer has no test clock.
 */
export function customerTimeOf({ store, now }: Clock, customer: string | null): number {
  const clock = store.get('testClocks', idOf(store.get('customers', customer ?? '')?.test_clock) ?? '');
  return clock ? clockTimeOf(clock) : now();
}

/** Returns the current Unix time of a test clock, in seconds. While the clock is advancing, returns its target time. */
export const clockTimeOf = ({ frozen_time: time, status_details: details }: TestClock): number =>
  details.advancing?.target_frozen_time ?? time;

/** Parameters that hold the ID of a customer, of a customer's object, or of a test clock. */
const customerParams = [
  'charge',
  'customer',
  'from_subscription',
  'invoice',
  'payment_intent',
  'subscription',
  'test_clock',
];
const customerTables = [
  'subscriptions',
  'invoices',
  'paymentIntents',
  'setupIntents',
  'checkoutSessions',
  'subscriptionSchedules',
  'paymentMethods',
  'charges',
] as const satisfies readonly TableName[];

/**
 * Returns the context for a request. If the request concerns a test clock or a customer that has one, `now()` returns
 * the clock's time.
 */
export function atTestClock(context: Context, { id, params }: { id: string; params: object }): Context {
  const { store } = context;
  if (store.list('testClocks').length === 0) return context;
  for (const one of [id, ...customerParams.map((name) => String(Reflect.get(params, name)))]) {
    const clock = store.get('testClocks', one);
    if (clock) return { ...context, now: () => clockTimeOf(clock) };
    const row = customerTables.flatMap((table) => store.get(table, one) ?? []).at(0);
    const customer = idOf(row?.customer) ?? one;
    if (store.get('customers', customer)?.test_clock)
      return { ...context, now: () => customerTimeOf(context, customer) };
  }
  return context;
}

/** Marks a test clock as ready. Called after all tasks up to its target time have run. */
export function finishAdvance({ save }: Context, clock: TestClock): void {
  const ready = { ...clock, frozen_time: clockTimeOf(clock), status: 'ready', status_details: {} };
  save('testClocks', 'test_helpers.test_clock.ready', ready);
}
