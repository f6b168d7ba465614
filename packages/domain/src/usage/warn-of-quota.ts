import { pays, warnedShares } from '@uprez/contracts/policy/meters';
import type { QuotaEventData } from '@uprez/contracts/v1/events';
import type { Tx } from '@uprez/db/database';
import { type AllowanceRow, markWarned } from '@uprez/db/queries/usage/allowances';
import { recordEvent } from '../events/record-event.ts';
import { queueMail } from '../mails/queue-mail.ts';
import type { Balance } from './ensure-period.ts';

/** Notify the owner once per reached share of a plan's units; of the largest when several are reached at once. */
export async function warnOfQuota(tx: Tx, balance: Balance, allowance: AllowanceRow): Promise<void> {
  const { source, units, unitsLeft, meter, hardStop } = allowance;
  const used = units - unitsLeft;
  const share = warnedShares.findLast((percent) => 100 * used >= percent * units);
  if (source !== 'plan' || share === undefined || share <= allowance.warned) return;
  await markWarned(tx, allowance.id, share);
  const left = balance.allowances
    .filter((other) => pays(other.meter, meter))
    .reduce((sum, other) => sum + Math.max(0, other.unitsLeft), 0);
  const resetsAt = balance.period.endsAt.toISOString();
  const data: QuotaEventData = { meter, share, included: units, left, resets_at: resetsAt };
  await recordEvent(tx, { accountId: balance.accountId, type: 'quota.warning', isSandbox: false, data });
  await queueMail(tx, balance.accountId, {
    mail: 'quota_warning',
    share,
    meter,
    included: units,
    left,
    goesOn: !hardStop,
    resetsAt,
  });
}
