import type { ManifestRow } from '@uprez/contracts/schemas/batch';
import type { V1Batch, V1BatchItem, V1ManifestRow } from '@uprez/contracts/v1/batch';
import type { BatchWithItems, ItemWithJob } from '@uprez/domain/batches/get-batch';
import type { Config } from '../../config.ts';
import { absoluteUrl } from '../../http/public-links.ts';
import { snakeCase } from '../../http/snake-case.ts';
import { presentV1Error } from '../jobs/present-v1-job.ts';
import { presentBatch, presentBatchItem } from './present-batch.ts';

type LinkConfig = Pick<Config, 'URL_SECRET' | 'PUBLIC_URL'>;

/** An item as the public API answers it. */
export function presentV1BatchItem(config: LinkConfig, entry: ItemWithJob, prefix: string): V1BatchItem {
  const item = presentBatchItem(config, entry, '/v1');
  const { job } = entry.found ?? {};
  const upload = `${prefix}/batches/${entry.item.batchId}/items/${item.id}`;
  return {
    id: item.id,
    client_id: item.clientId,
    name: item.name,
    relative_path: item.relativePath,
    size: item.size,
    status: item.status,
    progress: item.progress,
    job_id: item.jobId,
    download_url: item.downloadUrl && absoluteUrl(config, item.downloadUrl),
    upload_url: item.status === 'waiting' && entry.item.imageUrl === null ? absoluteUrl(config, upload) : null,
    notes: [...(job?.notes ?? []), ...(job?.receipt?.notes ?? [])],
    error: item.error && presentV1Error(config, item.error),
  };
}

/** A batch as the public API answers it. */
export function presentV1Batch(config: LinkConfig, found: BatchWithItems, prefix: string): V1Batch {
  const { batch, items } = found;
  const { id, status, progress, counts, recipe, createdAt, expiresAt } = presentBatch(config, found);
  const url = absoluteUrl(config, `${prefix}/batches/${id}`);
  return {
    id,
    batch_id: id,
    status,
    progress,
    counts,
    recipe: snakeCase(recipe) as V1Batch['recipe'],
    sandbox: batch.isSandbox,
    status_url: url,
    zip_url: `${url}/zip`,
    created_at: createdAt,
    expires_at: expiresAt,
    items: items.map((entry) => presentV1BatchItem(config, entry, prefix)),
  };
}

/** A row of a manifest as the public API answers it. */
export const presentV1ManifestRow = ({ item, job, ...facts }: ManifestRow): V1ManifestRow => {
  const { client_id, ...rest } = snakeCase(facts) as Omit<V1ManifestRow, 'item_id' | 'job_id'>;
  return { item_id: item, client_id, job_id: job, ...rest };
};
