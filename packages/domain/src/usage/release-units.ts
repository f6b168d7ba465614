import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { subtractReservedUnits } from '@uprez/db/queries/api-keys/api-keys';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import { findAllowance, returnUnits } from '@uprez/db/queries/usage/allowances';
import { findReservation, insertLedgerRow, type LedgerRow } from '@uprez/db/queries/usage/ledger';
import { formatLateReleaseReason, retryExpiryReason } from './ledger-reasons.ts';

/**
 * Releases the reserved unit of a job. The unit returns to its allowance, or expires if the allowance has ended. A job
 * is closed only once, by this function or `settleReservation`: the ledger's unique keys make a second closing a no-op.
 */
export async function releaseUnit(tx: Tx, jobId: string, reason: string): Promise<void> {
  await subtractReservedUnits(tx, [jobId]);
  await release(tx, jobId, reason);
}

async function release(tx: Tx, jobId: string, reason: string): Promise<void> {
  const reserved = await findReservation(tx, jobId);
  if (!reserved) return;
  const units = -reserved.units;
  const row = { ...toClosingRow(reserved, reason), units };
  if (!(await insertLedgerRow(tx, { ...row, kind: 'release' }))) return;
  if (await returnUnits(tx, reserved.allowanceId, units)) return;
  const expired = { ...row, jobId: null, kind: 'expire', units: -units } as const;
  await insertLedgerRow(tx, { ...expired, reason: await findExpiryReason(tx, reserved) });
}

/** Returns why a released unit can't be used again. */
async function findExpiryReason(tx: Tx, { jobId, allowanceId, createdAt }: LedgerRow): Promise<string> {
  const job = jobId ? await findJob(tx, jobId) : undefined;
  if (job?.retryOf) return retryExpiryReason;
  const allowance = await findAllowance(tx, allowanceId);
  return formatLateReleaseReason(allowance?.closedAt ?? createdAt);
}

/** `staysTaken`: whether another unit is reserved for the same image, so that the usage of keys doesn't change. */
type ReleaseInput = { accountId: string; ids: readonly string[]; reason: string; staysTaken?: boolean };

/** Releases several units in one transaction, which locks the account's allowances from then on. */
export async function releaseUnits(
  tx: Tx,
  { accountId, ids, reason, staysTaken = false }: ReleaseInput,
): Promise<void> {
  if (!staysTaken) await subtractReservedUnits(tx, ids);
  await lockAllowances(tx, accountId);
  for (const id of ids) await release(tx, id, reason);
}

const toClosingRow = ({ accountId, allowanceId, jobId, meter }: LedgerRow, reason: string) => ({
  accountId,
  allowanceId,
  jobId,
  meter,
  reason,
});
