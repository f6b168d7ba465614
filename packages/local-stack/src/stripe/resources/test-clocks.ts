import { calendarOf } from '../billing/calendar.ts';
import { isEnded } from '../billing/cancel-subscription.ts';
import { getSubscriptionItem, requireInterval } from '../billing/subscription-items.ts';
import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';
import { deleteCustomer } from './customers.ts';

const DAY_SECONDS = 24 * 3600;
const LIFETIME_SECONDS = 30 * DAY_SECONDS;
/** Maximum time by which a test clock without subscriptions can advance: two years. */
const MAX_ADVANCE_SECONDS = 2 * 365 * DAY_SECONDS;

const testClocks = defineResource({ path: '/v1/test_helpers/test_clocks', object: 'TestClock', table: 'testClocks' });

export const testClockCalls = [
  testClocks.create({
    serves: ['frozen_time', 'name'],
    run: ({ save, now }, { frozen_time, name }) => {
      return save('testClocks', 'test_helpers.test_clock.created', {
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
    },
  }),
  testClocks.retrieve(),
  testClocks.action('Advance', {
    serves: ['frozen_time'],
    run: (context, { frozen_time: target }, clock) => {
      requireReachable(context, { clock, target });
      const details = { advancing: { target_frozen_time: target } };
      return context.save('testClocks', 'test_helpers.test_clock.advancing', {
        ...clock,
        status: 'advancing',
        status_details: details,
      });
    },
  }),
  testClocks.delete({
    run: (context, _params, clock) => {
      const { id } = clock;
      for (const customer of context.store.list('customers'))
        if (idOf(customer.test_clock) === id) deleteCustomer(context, customer.id);
      context.store.remove('testClocks', id);
      context.emit('test_helpers.test_clock.deleted', clock);
      return { id, object: 'test_helpers.test_clock', deleted: true };
    },
  }),
  testClocks.list(),
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
