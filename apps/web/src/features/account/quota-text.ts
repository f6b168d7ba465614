import { countImages } from '@uprez/contracts/policy/meters';
import { formatCount } from '@uprez/contracts/texts/format';
import { type Quota, quotaTotal } from '../../ui/plans/quota-text.ts';
import { accountMessages } from './messages.ts';

/** Used and total units of a meter: `3 of 10 AI images`. */
export const quotaText = (quota: Quota): string =>
  accountMessages.plan.used(formatCount(quota.used), countImages(quotaTotal(quota), quota.meter));
