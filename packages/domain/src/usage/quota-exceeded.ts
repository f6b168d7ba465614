import { AppError } from '@uprez/contracts/errors/app-error';
import { countImages, type Meter } from '@uprez/contracts/policy/meters';
import { formatCount, formatDay } from '@uprez/contracts/texts/format';

/** What was asked for on a meter, what there is, and when there will be more. */
export type Shortage = { meter: Meter; have: number; needs: number; resetsAt: Date };

/** The refusal, with its numbers in the sentence and for machines. */
export function quotaExceeded({ meter, have, needs, resetsAt }: Shortage): AppError {
  // Another kind of image may have units left.
  const stops = meter === 'shared' ? 'processing stops' : `${countImages(0, meter).slice(2)} stop`;
  const left = have === 0 ? `no ${countImages(0, meter).slice(2)}` : `only ${countImages(have, meter)}`;
  return new AppError('quota_exceeded', {
    detail: `You have ${left} left until ${formatDay(resetsAt)}, and this needs ${formatCount(needs)}. Only ${stops}: everything else goes on working.`,
    meta: { meter, have, needs, resetsAt: resetsAt.toISOString(), upgradeUrl: '/pricing' },
  });
}
