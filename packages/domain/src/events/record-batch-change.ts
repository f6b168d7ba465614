import type { Tx } from '@uprez/db/database';
import { insertEvent } from '@uprez/db/queries/webhooks/events';
import { uuidv7 } from 'uuidv7';
import { feedTiers } from './feed-tiers.ts';

/** Record a hint that an item ended without a job. It becomes an event if it was the batch's last item. */
export const recordBatchChange = (tx: Tx, batch: { id: string; accountId: string; isSandbox: boolean }) =>
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
