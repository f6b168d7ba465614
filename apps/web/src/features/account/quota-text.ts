import type { Dashboard } from '@uprez/contracts/dashboard';
import { countPictures } from '@uprez/contracts/meters';
import { formatCount } from '../../lib/format.ts';
import { accountMessages } from '../../messages/account.ts';

export type Quota = Dashboard['quota'][number];

/** Units that an account was given on a meter, by its plan and besides. */
export const quotaTotal = ({ included, granted }: Quota) => included + granted;

/** How much of a meter is used: `3 of 10 AI pictures`. */
export const quotaText = (quota: Quota) =>
  accountMessages.plan.used(formatCount(quota.used), countPictures(quotaTotal(quota), quota.meter));
