import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { changeBatchItems } from '@uprez/db/queries/jobs/batch-items';
import { listOverdueBatches, lockOverdueBatch } from '@uprez/db/queries/jobs/batches';
import type { Needs } from '../context.ts';
import { recordBatchChange } from '../events/record-batch-change.ts';
import { releaseUnits } from '../usage/close-reservation.ts';
import { releaseReason } from '../usage/ledger-reasons.ts';

const code = 'file_never_came';

/** Fail the items of overdue batches whose files never arrived, and release their units. Returns how many. */
export async function expireBatches(ctx: Needs<'db'>): Promise<number> {
  let expired = 0;
  for (const id of await listOverdueBatches(ctx.db)) {
    expired += await ctx.db.transaction().execute(async (tx) => {
      const batch = await lockOverdueBatch(tx, id);
      // A retry may have extended the batch.
      if (!batch) return 0;
      const changes = { status: 'failed', errorCode: code, errorDetail: errorCodes[code].title } as const;
      const failed = await changeBatchItems(tx, { batchId: id, status: 'waiting' }, changes);
      const ids = failed.map(({ unitId }) => unitId);
      if (ids.length > 0) await releaseUnits(tx, { accountId: batch.accountId, ids, reason: releaseReason(code) });
      if (failed.length > 0) await recordBatchChange(tx, batch);
      return failed.length;
    });
  }
  return expired;
}
