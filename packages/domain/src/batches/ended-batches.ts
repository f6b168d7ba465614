import { limits } from '@uprez/contracts/policy/limits';
import { retention } from '@uprez/contracts/policy/plans/plans';
import type { Tx } from '@uprez/db/database';
import { lockUser } from '@uprez/db/queries/accounts/users';
import { countItems } from '@uprez/db/queries/jobs/batches';
import { deleteEndedBatches, type EndedBatch, endBatch, listEndedBatches } from '@uprez/db/queries/jobs/ended-batches';
import type { Needs } from '../context.ts';
import { queueMail } from '../mails/queue-mail.ts';

const longBatchS = limits.longBatchMinutes * 60;

/**
 * Marks batches as ended and queues an email for each long one. Does both in one transaction, so each email is queued
 * exactly once, even if a process crashes. Retrying images of an ended batch doesn't send a second email. Returns the
 * number of emails queued.
 */
export async function mailEndedBatches(ctx: Needs<'db'>): Promise<number> {
  let mailed = 0;
  for (const { id, accountId } of await listEndedBatches(ctx.db, longBatchS)) {
    const isMailed = await ctx.db.transaction().execute(async (tx) => {
      await lockUser(tx, accountId);
      const batch = await endBatch(tx, id);
      return batch !== undefined && (await mailBatchEnd(tx, batch));
    });
    if (isMailed) mailed += 1;
  }
  return mailed;
}

/**
 * Queues the email for a long batch from the web. API clients are notified by webhooks instead, and users who cancel a
 * batch already know that it ended.
 */
async function mailBatchEnd(tx: Tx, { id, accountId, surface, cancelledAt, seconds }: EndedBatch): Promise<boolean> {
  if (surface !== 'web' || cancelledAt !== null || seconds <= longBatchS) return false;
  const counts = await countItems(tx, [id]);
  const count = (statuses: readonly string[]) =>
    counts.filter(({ status }) => statuses.includes(status)).reduce((sum, row) => sum + Number(row.count), 0);
  const [completed, failed] = [count(['completed', 'expired']), count(['failed'])];
  if (completed + failed === 0) return false;
  await queueMail(tx, accountId, { mail: 'batch_ended', completed, failed });
  return true;
}

/** Each batch has up to 100 items, which are deleted with it. */
const batchesPerDelete = 100;

/**
 * Deletes batches that ended more than `retention.usageRowDays` ago, because their file names and URLs are personal
 * data. Returns the number of deleted batches.
 */
export async function deleteOldBatches(ctx: Needs<'db'>): Promise<number> {
  const ageS = retention.usageRowDays * 86_400;
  for (let deleted = 0; ; ) {
    const count = await deleteEndedBatches(ctx.db, { ageS, limit: batchesPerDelete });
    deleted += count;
    if (count < batchesPerDelete) return deleted;
  }
}
