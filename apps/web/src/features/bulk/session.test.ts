import { expect, it } from 'vitest';
import { describeMilestone, wouldLoseFiles } from './session.ts';
import type { Row } from './state/row.ts';
import { maxStoredBytes } from './state/saved-list.ts';

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

it('reaches a milestone with each quarter of a run, except for its end', () => {
  const runIds = ['a', 'b', 'c', 'd'];
  const after = (done: number) => ({
    rows: runIds.map((id, index) => row({ id, status: index < done ? 'completed' : 'processing' })),
    runIds,
  });
  expect(describeMilestone(after(1), after(0))).toBe('25% of the batch is done');
  expect(describeMilestone(after(1), after(1))).toBeUndefined();
  expect(describeMilestone(after(3), after(1))).toBe('75% of the batch is done');
  expect(describeMilestone(after(4), after(3))).toBeUndefined();
  expect(describeMilestone(after(1), { ...after(1), runIds: [] })).toBe('25% of the batch is done');
});
