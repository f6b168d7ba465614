import type { Tx } from '@uprez/db/database';
import type { JobRow } from '@uprez/db/queries/jobs/jobs';
import { insertAllowance } from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow, insertReservations } from '@uprez/db/queries/usage/ledger';
import { now } from '@uprez/db/times';
import { retryGrantReason } from '../../usage/ledger-reasons.ts';
import { meterOf } from '../../usage/reserve-units.ts';

type RetryGrant = { id: string; accountId: string; former: Pick<JobRow, 'plan' | 'filename'> };

/**
 * Grants one unit to an account and reserves that very unit for the job `id`, so nothing is taken from the account. The
 * allowance is closed from the start: if the job releases its unit, the unit expires, and retries give no units away.
 */
export async function grantRetry(tx: Tx, { id: jobId, accountId, former }: RetryGrant): Promise<void> {
  const meter = meterOf(former.plan);
  const grant = { accountId, meter, units: 1, reason: retryGrantReason({ meter, filename: former.filename }) } as const;
  const closed = { unitsLeft: 0, startsAt: now, expiresAt: now, closedAt: now };
  const allowance = await insertAllowance(tx, { ...grant, ...closed, source: 'grant', tier: null });
  if (!allowance) throw new Error('The grant was not inserted.');
  const { id: allowanceId } = allowance;
  await insertLedgerRow(tx, { ...grant, allowanceId, kind: 'grant' });
  const reason = 'Reserved to retry one image';
  await insertReservations(tx, [{ accountId, allowanceId, jobId, meter, units: -1, kind: 'reserve', reason }]);
}
