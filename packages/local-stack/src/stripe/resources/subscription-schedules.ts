import { isEnded } from '../billing/cancel-subscription.ts';
import { createSchedule } from '../billing/create-schedule.ts';
import { releaseSchedule, type Schedule } from '../billing/schedules.ts';
import type { Context } from '../context.ts';
import { defineCall } from '../http/define-call.ts';
import { getRow } from '../parameters/get-row.ts';
import { mergeMetadata } from '../parameters/merge-metadata.ts';
import { readPhases } from '../parameters/read-phases.ts';
import { invalidRequest, notServed } from '../stripe-error.ts';

export const subscriptionScheduleCalls = [
  defineCall({
    method: 'POST',
    path: '/v1/subscription_schedules',
    params: 'SubscriptionScheduleCreateParams',
    serves: ['from_subscription'],
    reply: 'SubscriptionSchedule',
    run: (context, params) => {
      const param = 'from_subscription';
      const subscription = getRow(context, 'subscriptions', { id: params.from_subscription ?? '', param });
      if (isEnded(subscription) || subscription.status === 'incomplete')
        throw invalidRequest(`You cannot migrate a subscription in \`${subscription.status}\` status.`, { param });
      if (subscription.schedule)
        throw invalidRequest('You cannot migrate a subscription that is already attached to a schedule.', { param });
      if (subscription.cancel_at_period_end)
        throw notServed("The double doesn't create schedules of subscriptions that will be canceled.", param);
      return createSchedule(context, subscription);
    },
  }),
  defineCall({
    method: 'GET',
    path: '/v1/subscription_schedules/:id',
    params: 'SubscriptionScheduleRetrieveParams',
    reply: 'SubscriptionSchedule',
    run: (context, _params, id) => getRow(context, 'subscriptionSchedules', { id }),
  }),
  defineCall({
    method: 'POST',
    path: '/v1/subscription_schedules/:id',
    params: 'SubscriptionScheduleUpdateParams',
    serves: ['end_behavior', 'metadata', 'phases', 'proration_behavior'],
    reply: 'SubscriptionSchedule',
    run: (context, params, id) => {
      const before = getActive(context, id);
      const { end_behavior: end = 'release', proration_behavior: proration = 'none' } = params;
      if (end !== 'release') throw notServed('The double serves release.', 'end_behavior');
      if (proration !== 'none') throw notServed('The double serves none.', 'proration_behavior');
      const updated = context.store.put('subscriptionSchedules', {
        ...before,
        metadata: mergeMetadata(before.metadata, params.metadata),
        phases: params.phases ? readPhases(context, before, params.phases) : before.phases,
      });
      context.emit('subscription_schedule.updated', updated, { phases: before.phases });
      return updated;
    },
  }),
  defineCall({
    method: 'POST',
    path: '/v1/subscription_schedules/:id/release',
    params: 'SubscriptionScheduleReleaseParams',
    reply: 'SubscriptionSchedule',
    run: (context, _params, id) => releaseSchedule(context, getActive(context, id)),
  }),
];

function getActive(context: Context, id: string): Schedule {
  const schedule = getRow(context, 'subscriptionSchedules', { id });
  if (schedule.status === 'active') return schedule;
  throw invalidRequest(
    `You cannot change a subscription schedule that is currently in the \`${schedule.status}\` status.`,
  );
}
