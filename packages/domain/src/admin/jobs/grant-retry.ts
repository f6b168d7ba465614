import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tx } from '@uprez/db/database';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { insertAllowance, takeUnits } from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow, insertReservations } from '@uprez/db/queries/usage/ledger';
import { afterSeconds, now } from '@uprez/db/times';
import { ensurePeriod } from '../../usage/ensure-period.ts';
import { retryGrantReason } from '../../usage/ledger-reasons.ts';
import { meterOf } from '../../usage/reserve-units.ts';

/** A unit whose retry fails again can be used for this long. */
const grantDays = 1;

type RetryGrant = { id: string; accountId: string; former: Pick<JobRow, 'plan' | 'filename'> };

/** Grants one unit to an account and reserves that very unit for the job `id`, so nothing is taken from the account. */
export async function grantRetry(tx: Tx, { id: jobId, accountId, former }: RetryGrant): Promise<void> {
  if (!(await ensurePeriod(tx, accountId))) throw new AppError('job_not_found');
  const meter = meterOf(former.plan);
  const grant = { accountId, meter, units: 1, reason: retryGrantReason({ meter, filename: former.filename }) } as const;
  const times = { startsAt: now, expiresAt: afterSeconds(grantDays * 86_400) };
  const allowance = await insertAllowance(tx, { ...grant, ...times, source: 'grant', tier: null, unitsLeft: 1 });
  if (!allowance) throw new Error('The grant was not inserted.');
  const { id: allowanceId } = allowance;
  await insertLedgerRow(tx, { ...grant, allowanceId, kind: 'grant' });
  if ((await takeUnits(tx, allowanceId, 1)) === undefined) throw new Error(`The grant ${allowanceId} has no unit.`);
  const reason = 'Reserved to retry one image';
  await insertReservations(tx, [{ accountId, allowanceId, jobId, meter, units: -1, kind: 'reserve', reason }]);
}
