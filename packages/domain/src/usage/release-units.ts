import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { subtractReservedUnits } from '@uprez/db/queries/api-keys/api-keys';
import { findJob } from '@uprez/db/queries/jobs/jobs';
import { findAllowance, returnUnits } from '@uprez/db/queries/usage/allowances';
import { findReservation, insertLedgerRow, type LedgerRow } from '@uprez/db/queries/usage/ledger';
import { formatLateReleaseReason, retryExpiryReason } from './ledger-reasons.ts';

/**
 * Releases a job's reserved unit. The unit returns to its allowance, or expires if the allowance has ended. A
 * reservation is either released or settled, when the job is delivered or canceled late, and only once, because the
 * ledger's keys are unique.
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

async function findExpiryReason(tx: Tx, { jobId, allowanceId, createdAt }: LedgerRow): Promise<string> {
  const job = jobId ? await findJob(tx, jobId) : undefined;
  if (job?.retryOf) return retryExpiryReason;
  const allowance = await findAllowance(tx, allowanceId);
  return formatLateReleaseReason(allowance?.closedAt ?? createdAt);
}

/**
 * `staysTaken`: whether another unit is reserved for the same image. The counted usage of API keys then doesn't change.
 */
type ReleaseInput = { accountId: string; ids: readonly string[]; reason: string; staysTaken?: boolean };

/** Releases several units. Locks the account's allowances until the transaction ends. */
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
