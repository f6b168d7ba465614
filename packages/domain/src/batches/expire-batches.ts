import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { changeBatchItems } from '@uprez/db/queries/jobs/batch-items';
import { holdOverdueBatch, listOverdueBatches } from '@uprez/db/queries/jobs/batches';
import type { Needs } from '../context.ts';
import { noteBatch } from '../events/note-batch.ts';
import { releaseUnits } from '../usage/close-reservation.ts';
import { sayGivenBack } from '../usage/usage-words.ts';

const code = 'file_never_came';

/** Fail the items of batches past their time whose files never came; their units are given back. Answers how many. */
export async function expireBatches(ctx: Needs<'db'>): Promise<number> {
  let expired = 0;
  for (const id of await listOverdueBatches(ctx.db)) {
    expired += await ctx.db.transaction().execute(async (tx) => {
      const batch = await holdOverdueBatch(tx, id);
      // Tried again in this moment, its files may come once more.
      if (!batch) return 0;
      const changes = { status: 'failed', errorCode: code, errorDetail: errorCodes[code].title } as const;
      const failed = await changeBatchItems(tx, { batchId: id, status: 'waiting' }, changes);
      const ids = failed.map(({ unitId }) => unitId);
      if (ids.length > 0) await releaseUnits(tx, { accountId: batch.accountId, ids, reason: sayGivenBack(code) });
      if (failed.length > 0) await noteBatch(tx, batch);
      return failed.length;
    });
  }
  return expired;
}
