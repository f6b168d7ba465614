import type { Tx } from '@uprez/db/database';
import { findReservation, insertLedgerRow } from '@uprez/db/queries/ledger';

/** Keep what was reserved: the result was delivered. */
export const settleUnit = (tx: Tx, jobId: string, reason: string): Promise<void> =>
  closeReservation(tx, { jobId, kind: 'settle', reason });

/** Give back what was reserved: nothing was delivered. */
export const releaseUnit = (tx: Tx, jobId: string, reason: string): Promise<void> =>
  closeReservation(tx, { jobId, kind: 'release', reason });

/** A job is closed once, by settle or by release; the table's unique keys make a second closing a no-op. */
async function closeReservation(
  tx: Tx,
  closing: { jobId: string; kind: 'settle' | 'release'; reason: string },
): Promise<void> {
  const reserved = await findReservation(tx, closing.jobId);
  if (!reserved) return;
  await insertLedgerRow(tx, {
    account_id: reserved.account_id,
    job_id: closing.jobId,
    kind: closing.kind,
    meter: reserved.meter,
    units: closing.kind === 'settle' ? 0 : -reserved.units,
    reason: closing.reason,
  });
}
