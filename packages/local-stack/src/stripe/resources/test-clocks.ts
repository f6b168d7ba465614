import { calendarOf } from '../billing/calendar.ts';
import { isEnded } from '../billing/cancel-subscription.ts';
import { getSubscriptionItem, requireInterval } from '../billing/subscription-items.ts';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { listPage } from '../http/list-page.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { deleteCustomer } from './customers.ts';

const path = '/v1/test_helpers/test_clocks';
const DAY_SECONDS = 24 * 3600;
const LIFETIME_SECONDS = 30 * DAY_SECONDS;
/** Maximum time by which a test clock without subscriptions can advance: two years. */
const MAX_ADVANCE_SECONDS = 2 * 365 * DAY_SECONDS;

export const testClockCalls = [
  defineCall({
    method: 'POST',
    path,
    params: 'TestClockCreateParams',
    serves: ['frozen_time', 'name'],
    reply: 'TestClock',
    run: ({ store, emit, now }, { frozen_time, name }) => {
      const clock = store.put('testClocks', {
        id: makeId('clock'),
        object: 'test_helpers.test_clock',
        created: now(),
        deletes_after: now() + LIFETIME_SECONDS,
        frozen_time,
        livemode: false,
        name: name || null,
        status: 'ready',
        status_details: {},
      });
      emit('test_helpers.test_clock.created', clock);
      return clock;
    },
  }),
  defineCall({
    method: 'GET',
    path: `${path}/:id`,
    params: 'TestClockRetrieveParams',
    reply: 'TestClock',
    run: (context, _params, id) => getRow(context, 'testClocks', { id }),
  }),
  defineCall({
    method: 'POST',
    path: `${path}/:id/advance`,
    params: 'TestClockAdvanceParams',
    serves: ['frozen_time'],
    reply: 'TestClock',
    run: (context, { frozen_time: target }, id) => {
      const clock = getRow(context, 'testClocks', { id });
      requireReachable(context, { clock, target });
      const details = { advancing: { target_frozen_time: target } };
      const advancing = context.store.put('testClocks', { ...clock, status: 'advancing', status_details: details });
      context.emit('test_helpers.test_clock.advancing', advancing);
      return advancing;
    },
  }),
  defineCall({
    method: 'DELETE',
    path: `${path}/:id`,
    params: 'TestClockDeleteParams',
    reply: 'DeletedTestClock',
    run: (context, _params, id) => {
      const clock = getRow(context, 'testClocks', { id });
      for (const customer of context.store.list('customers'))
        if (idOf(customer.test_clock) === id) deleteCustomer(context, customer.id);
      context.store.remove('testClocks', id);
      context.emit('test_helpers.test_clock.deleted', clock);
      return { id, object: 'test_helpers.test_clock', deleted: true };
    },
  }),
  defineCall({
    method: 'GET',
    path,
    params: 'TestClockListParams',
    reply: 'TestClockList',
    run: ({ store }, params) => listPage(store.list('testClocks'), params, path),
  }),
];

/** Clocks move only forward, and by at most two periods of the subscription with the shortest period. */
function requireReachable(context: Context, { clock, target }: { clock: Tables['testClocks']; target: number }): void {
  const { frozen_time: time, id } = clock;
  const ends = context.store
    .list('subscriptions')
    .filter((subscription) => subscription.test_clock === id && !isEnded(subscription))
    .map((subscription) =>
      calendarOf(context, idOf(subscription.customer)).add(
        time,
        requireInterval(getSubscriptionItem(subscription).price),
        2,
      ),
    );
  const farthest = ends.length > 0 ? Math.min(...ends) : time + MAX_ADVANCE_SECONDS;
  if (target <= time) throw frozenTimeError("The time must be after the test clock's current frozen time.");
  if (target > farthest)
    throw frozenTimeError(
      'You cannot advance a test clock more than two intervals of its shortest subscription at a time.',
    );
}

const frozenTimeError = (message: string) => invalidRequestError(message, { param: 'frozen_time' });
