import type { Batch, BatchItem, ManifestRow, PublicBatch, PublicBatchItem } from '@uprez/contracts/schemas/batch';
import type { BatchSummary, BatchWithItems, ItemWithJob } from '@uprez/domain/batches/get-batch';
import type { Config } from '../config.ts';
import { presentBatchItem, presentBatchSummary, summarize } from '../features/batches/present-batch.ts';
import { absoluteUrl } from '../http/public-links.ts';
import { presentV1Error } from './present-job.ts';
import { snakeCase } from './snake-case.ts';

type LinkConfig = Pick<Config, 'URL_SECRET' | 'PUBLIC_URL'>;

/** A batch item of `/v1`, before the plugin renames its fields. */
export function presentV1BatchItem(
  config: LinkConfig,
  entry: ItemWithJob,
  prefix: string,
): BatchItem & PublicBatchItem {
  const { error, ...item } = presentBatchItem(config, entry, '/v1');
  const { job } = entry.found ?? {};
  const upload = `${prefix}/batches/${entry.item.batchId}/items/${item.id}`;
  return {
    ...item,
    downloadUrl: item.downloadUrl && absoluteUrl(config, item.downloadUrl),
    uploadUrl: item.status === 'waiting' && entry.item.imageUrl === null ? absoluteUrl(config, upload) : null,
    notes: [...(job?.notes ?? []), ...(job?.receipt?.notes ?? [])],
    error: error && presentV1Error(config, error),
  };
}

type V1Summary = Omit<Batch & PublicBatch, 'items'>;

/** A batch of `/v1` without its items, before the plugin renames its fields. */
export function presentV1BatchSummary(config: LinkConfig, found: BatchSummary, prefix: string): V1Summary {
  const batch = presentBatchSummary(found);
  const url = absoluteUrl(config, `${prefix}/batches/${batch.id}`);
  return { ...batch, batchId: batch.id, sandbox: found.batch.isSandbox, statusUrl: url, zipUrl: `${url}/zip` };
}

/** The same with its items. */
export const presentV1Batch = (config: LinkConfig, found: BatchWithItems, prefix: string): Batch & PublicBatch => ({
  ...presentV1BatchSummary(config, summarize(found), prefix),
  items: found.items.map((entry) => presentV1BatchItem(config, entry, prefix)),
});

/** A manifest row of `/v1`, in JSON and in CSV. */
export const presentV1ManifestRow = ({ item, clientId, job, ...facts }: ManifestRow) =>
  snakeCase({ itemId: item, clientId, jobId: job, ...facts }) as Record<string, string | number | null>;
