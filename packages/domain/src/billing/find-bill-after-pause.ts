import { periodOf } from '../usage/period.ts';

type Cycle = { anchor: Date; periodEnd: Date };

/** When a paused plan is billed again: at the first start of a period after the pause. */
export function findBillAfterPause({ anchor, periodEnd }: Cycle, pausedUntil: Date): Date {
  const { endsAt } = periodOf(anchor, pausedUntil);
  return endsAt > periodEnd ? endsAt : periodEnd;
}
