import { AppError } from '@uprez/contracts/errors/app-error';
import { countImages, type Meter } from '@uprez/contracts/policy/meters';
import { formatCount, formatDay } from '@uprez/contracts/texts/format';

/** The units that a request needs on a meter, the balance, and the next reset. */
export type Shortage = { meter: Meter; have: number; needs: number; resetsAt: Date };

/** The `quota_exceeded` error, with its numbers in the message and in `meta`. */
export function quotaExceeded({ meter, have, needs, resetsAt }: Shortage): AppError {
  const left = have === 0 ? `no ${countImages(0, meter).slice(2)}` : `only ${countImages(have, meter)}`;
  return new AppError('quota_exceeded', {
    detail: `You have ${left} left until ${formatDay(resetsAt)}. You need ${formatCount(needs)}. Upgrade your plan for more.`,
    meta: { meter, have, needs, resetsAt: resetsAt.toISOString(), upgradeUrl: '/pricing' },
  });
}
