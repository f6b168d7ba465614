import { chargeableMessage } from '@uprez/contracts/errors/app-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import type { ItemEventData } from '@uprez/contracts/v1/events';
import type { Tx } from '@uprez/db/database';
import type { BatchItemRow, BatchRow } from '@uprez/db/queries/jobs/batches';
import { insertRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { insertBatchEvents } from '@uprez/db/queries/webhooks/events';
import { uuidv7 } from 'uuidv7';
import { hasFeed } from '../events/record-event.ts';

type Item = Pick<BatchItemRow, 'id' | 'clientId' | 'name' | 'relativePath' | 'errorCode' | 'errorDetail'>;

/**
 * Records events for rejected items. Also stores the rejections so that administrators can look them up, except for
 * items in the sandbox or without a credit. Skips items without an error.
 */
export async function recordRejectedItems(tx: Tx, batch: BatchRow, items: readonly Item[]): Promise<void> {
  const { id: batchId, accountId, isSandbox, surface } = batch;
  const rejected = items.flatMap(({ errorCode: code, errorDetail, ...item }) => {
    return code === null ? [] : [{ ...item, code, message: errorDetail ?? errorCodes[code].title }];
  });
  const events = rejected.map(({ id, clientId, name, relativePath, ...error }) => {
    const item = { id, client_id: clientId, name, relative_path: relativePath, batch_id: batchId };
    const data: ItemEventData = { ...item, error: { code: error.code, message: chargeableMessage(error) } };
    return { id: uuidv7(), data };
  });
  await insertBatchEvents(tx, { accountId, type: 'batch.item_rejected', isSandbox, batchId, events }, hasFeed);
  if (isSandbox) return;
  const refused = rejected.filter(({ code }) => code !== 'quota_exceeded');
  const images = refused.map(({ name, code, message }) => ({ filename: name, errorCode: code, errorDetail: message }));
  await insertRejectedImages(tx, { accountId, surface, images });
}
