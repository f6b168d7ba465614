import { expect, it } from 'vitest';
import { useAnnouncement } from '../../../lib/notifications/announce.ts';
import { emptyList, setBulk } from '../state/bulk-store.ts';
import type { Row } from '../state/row.ts';
import { maxStoredBytes } from '../state/saved-list.ts';
import { watchRuns, wouldLoseFiles } from './watch-run.ts';

const row = (more: Partial<Row> = {}): Row => ({
  ...{ id: 'x', name: 'a.png', relativePath: 'a.png', size: 1, file: new File(['1'], 'a.png') },
  ...{ status: 'pending', sent: 0, progress: 0 },
  ...more,
});
const list = (rows: Row[], more = {}) => ({ rows, keeps: true, signedOut: false, paused: false, ...more });

it('allows leaving when all files are stored, and guards those that are not', () => {
  const large = row({ file: Object.defineProperty(new File([], 'a.png'), 'size', { value: maxStoredBytes + 1 }) });
  expect(wouldLoseFiles(list([row()]))).toBe(false);
  expect(wouldLoseFiles(list([large]))).toBe(true);
  expect(wouldLoseFiles(list([row()], { keeps: false }))).toBe(true);
  expect(wouldLoseFiles(list([row({ status: 'completed' })], { keeps: false }))).toBe(false);
  expect(wouldLoseFiles(list([row({ status: 'uploading' })]))).toBe(true);
  expect(wouldLoseFiles(list([row({ status: 'uploading' })], { signedOut: true }))).toBe(false);
  const waiting = row({ item: { batchId: 'b', itemId: 'i' }, awaitsFile: true });
  expect(wouldLoseFiles(list([waiting]))).toBe(true);
  expect(wouldLoseFiles(list([waiting], { paused: true }))).toBe(false);
});

it('announces milestones of a run, and then its outcome', () => {
  const stop = watchRuns();
  const ids = ['a', 'b', 'c', 'd'];
  const announceAfter = (done: number) => {
    setBulk({ rows: ids.map((id, index) => row({ id, status: index < done ? 'completed' : 'processing' })) });
    return useAnnouncement.getState().text;
  };
  setBulk({ ...emptyList, runIds: ids });
  expect([1, 3, 4].map(announceAfter)).toEqual([
    '25% of the batch is done',
    '75% of the batch is done',
    '4 images processed successfully',
  ]);
  stop();
});
