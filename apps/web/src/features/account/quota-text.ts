import { countImages } from '@uprez/contracts/policy/meters';
import { formatCount } from '@uprez/contracts/texts/format';
import { type Quota, quotaTotal } from '../../ui/plans/quota-text.ts';
import { accountMessages } from './messages.ts';

/** How much of a meter is used, with what it counts: `3 of 10 AI images`. */
export const quotaText = (quota: Quota): string =>
  accountMessages.plan.used(formatCount(quota.used), countImages(quotaTotal(quota), quota.meter));
