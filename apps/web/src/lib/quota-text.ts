import type { Dashboard } from '@uprez/contracts/dashboard';
import { countPictures, type Meter } from '@uprez/contracts/meters';
import type { PlanCard } from '@uprez/contracts/plan-card';
import { quotaMessages as text } from '../messages/quota.ts';
import { formatCount, formatDay, formatShortDay } from './format.ts';

export type Quota = Dashboard['quota'][number];

/** Units that an account was given on a meter, by its plan and besides. */
export const quotaTotal = ({ included, granted }: Quota): number => included + granted;

/** How much of a meter is used: `3 of 10`. */
export const quotaText = (quota: Quota): string => text.used(formatCount(quota.used), formatCount(quotaTotal(quota)));

type Outlook = {
  forecast: Dashboard['forecast'];
  /** Whether the plan pauses when its units are used up. */
  hardStop: boolean;
};

/** Sentences below a meter: when units come anew, what was granted besides, how long they last, what happens without. */
export function quotaNotes(quota: Quota, { forecast, hardStop }: Outlook): string[] {
  const { meter, granted, used, left, resetsAt } = quota;
  const beyond = used - quotaTotal(quota);
  const end = forecast.find((row) => row.meter === meter)?.endsAt;
  const resets = left === 0 && hardStop ? text.stopped(formatDay(resetsAt)) : text.resets(formatDay(resetsAt));
  return [
    resets,
    ...(granted > 0 ? [text.granted(formatCount(granted))] : []),
    ...(end ? [text.forecast(formatShortDay(end))] : []),
    ...(beyond > 0 ? [text.beyond(formatCount(beyond))] : []),
  ];
}

/** Units of a plan on a meter, or on the one that all its kinds of job share. */
const includes = ({ included }: PlanCard['entitlements'], meter: Meter): number =>
  'shared' in included ? included.shared : meter === 'shared' ? 0 : included[meter];

/** The smallest plan with more units on a meter, in words; undefined where there is none. Plans: the smallest first. */
export function largerPlan(plans: readonly PlanCard[], { meter, included }: Quota): string | undefined {
  const plan = plans.find(({ entitlements }) => includes(entitlements, meter) > included);
  if (!plan) return undefined;
  const shown = 'shared' in plan.entitlements.included ? 'shared' : meter;
  return text.larger(plan.name, countPictures(includes(plan.entitlements, meter), shown), plan.price);
}
