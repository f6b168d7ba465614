import type { Tx } from '@uprez/db/database';
import { insertEvent } from '@uprez/db/queries/webhooks/events';
import { uuidv7 } from 'uuidv7';
import { feedTiers } from './feed-tiers.ts';

/** An item of a batch ended without a job: have it looked at whether the whole batch has. Becomes an event only then. */
export const recordBatchChange = (
  tx: Tx,
  batch: { id: string; accountId: string; isSandbox: boolean },
): Promise<void> =>
  insertEvent(
    tx,
    {
      id: uuidv7(),
      accountId: batch.accountId,
      type: 'batch.completed',
      isSandbox: batch.isSandbox,
      batchId: batch.id,
      data: {},
    },
    feedTiers,
  );
