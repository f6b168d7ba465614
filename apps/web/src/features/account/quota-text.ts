import type { Dashboard } from '@uprez/contracts/dashboard';
import { countPictures } from '@uprez/contracts/meters';
import { formatCount, formatDate } from '../../lib/format.ts';
import { accountMessages } from '../../messages/account.ts';

export type Quota = Dashboard['quota'][number];

const text = accountMessages.plan;

/** Units that an account was given on a meter, by its plan and besides. */
export const quotaTotal = ({ included, granted }: Quota) => included + granted;

/** How much of a meter is used: `3 of 10 AI pictures`. */
export const quotaText = (quota: Quota) =>
  text.used(formatCount(quota.used), countPictures(quotaTotal(quota), quota.meter));

/** Sentences about a meter: what was granted beside the plan, how long it lasts at this pace. */
export function quotaNotes({ meter, granted }: Quota, forecast: Dashboard['forecast']): string[] {
  const end = forecast.find((row) => row.meter === meter)?.endsAt;
  return [
    ...(granted > 0 ? [text.granted(formatCount(granted))] : []),
    ...(end ? [text.forecast(formatDate(end))] : []),
  ];
}
