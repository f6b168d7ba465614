import type { BulkState } from './bulk-store.ts';

/**
 * Results of one batch that are downloaded together. `query.items`: item IDs, set only if rows of the batch were
 * removed from the list.
 */
export type DownloadPart = { id: string; done: number; query: { items?: string } };

/** Returns the results of the rows in the list by batch, oldest first. */
export function downloadParts(rows: BulkState['rows'], batches: BulkState['batches']): DownloadPart[] {
  const listed = new Set(rows.flatMap(({ item }) => item?.itemId ?? []));
  return Object.values(batches)
    .toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))
    .map(({ id, items }) => {
      const kept = items.filter((item) => listed.has(item.id));
      const query = kept.length < items.length ? { items: kept.map((item) => item.id).join(',') } : {};
      return { id, done: kept.filter(({ status }) => status === 'completed').length, query };
    })
    .filter(({ done }) => done > 0);
}
