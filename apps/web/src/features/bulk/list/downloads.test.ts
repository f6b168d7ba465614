import type { Batch, BatchItem } from '@uprez/contracts/schemas/jobs/batch';
import { expect, it } from 'vitest';
import type { Row } from '../state/row.ts';
import { listDownloadParts } from './downloads.tsx';

const item = (id: string, status: BatchItem['status']) => ({ id, status }) as BatchItem;
const batch = (id: string, createdAt: string, items: BatchItem[]) => ({ id, createdAt, items }) as Batch;
const row = (batchId: string, itemId: string) => ({ id: itemId, item: { batchId, itemId } }) as Row;
const batches = {
  late: batch('late', '2026-11-02', [item('c', 'completed')]),
  early: batch('early', '2026-11-01', [item('a', 'completed'), item('b', 'completed'), item('f', 'failed')]),
  open: batch('open', '2026-11-03', [item('d', 'processing')]),
};

it('counts the completed items of each batch, oldest first', () => {
  const rows = [row('early', 'a'), row('early', 'b'), row('early', 'f'), row('late', 'c'), row('open', 'd')];
  expect(listDownloadParts(rows, batches)).toEqual([
    { id: 'early', done: 2, query: {} },
    { id: 'late', done: 1, query: {} },
  ]);
});

it('leaves out rows that were removed from the list', () => {
  const rows = [row('early', 'b'), row('early', 'f')];
  expect(listDownloadParts(rows, batches)).toEqual([{ id: 'early', done: 1, query: { items: 'b,f' } }]);
});
