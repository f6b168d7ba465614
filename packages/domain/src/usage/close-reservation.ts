import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { subtractReserved } from '@uprez/db/queries/api-keys/api-keys';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import { findAllowance, giveUnitsBack } from '@uprez/db/queries/usage/allowances';
import { findReservation, insertLedgerRow, type LedgerRow } from '@uprez/db/queries/usage/ledger';
import { lateReleaseReason, retryExpiryReason } from './ledger-reasons.ts';

/**
 * Release the reserved unit of a job. It returns to its allowance, or expires with it. A job is closed once, by this or by
 * `settleReservation`: the ledger's unique keys make a second closing a no-op.
 */
export async function releaseUnit(tx: Tx, jobId: string, reason: string): Promise<void> {
  await subtractReserved(tx, [jobId]);
  await release(tx, jobId, reason);
}

async function release(tx: Tx, jobId: string, reason: string): Promise<void> {
  const reserved = await findReservation(tx, jobId);
  if (!reserved) return;
  const units = -reserved.units;
  const row = { ...closing(reserved, reason), units };
  if (!(await insertLedgerRow(tx, { ...row, kind: 'release' }))) return;
  if (await giveUnitsBack(tx, reserved.allowanceId, units)) return;
  const expired = { ...row, jobId: null, kind: 'expire', units: -units } as const;
  await insertLedgerRow(tx, { ...expired, reason: await findExpiryReason(tx, reserved) });
}

/** Why a released unit can't be used again. */
async function findExpiryReason(tx: Tx, { jobId, allowanceId, createdAt }: LedgerRow): Promise<string> {
  const job = jobId ? await findJob(tx, jobId) : undefined;
  if (job?.retryOf) return retryExpiryReason;
  const allowance = await findAllowance(tx, allowanceId);
  return lateReleaseReason(allowance?.closedAt ?? createdAt);
}

/** `staysTaken`: another unit is reserved for the same thing, so keys have used as many as before. */
type Releasing = { accountId: string; ids: readonly string[]; reason: string; staysTaken?: boolean };

/** Give several back in one transaction, which has the account's allowances to itself from then on. */
export async function releaseUnits(tx: Tx, { accountId, ids, reason, staysTaken = false }: Releasing): Promise<void> {
  if (!staysTaken) await subtractReserved(tx, ids);
  await lockAllowances(tx, accountId);
  for (const id of ids) await release(tx, id, reason);
}

const closing = ({ accountId, allowanceId, jobId, meter }: LedgerRow, reason: string) => ({
  accountId,
  allowanceId,
  jobId,
  meter,
  reason,
});
