import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { describe, expect, it } from 'vitest';
import {
  canCancel,
  canClear,
  canProcess,
  canRemove,
  canRetry,
  isBusy,
  type Row,
  type RowStatus,
  rowsOfRun,
  splitByPlan,
  summarize,
} from './row.ts';

const file = new File(['x'], 'a.png');
let made = 0;
const row = (status: RowStatus, more: Partial<Row> = {}): Row => {
  made += 1;
  return { id: `r${made}`, name: 'a.png', relativePath: 'a.png', size: 1, file, status, sent: 0, progress: 0, ...more };
};
const item = { batchId: 'b', itemId: 'i', jobId: 'j' };
const list = (...rows: Row[]) => ({ rows, starting: false });

describe('list actions', () => {
  it('disables Process All when all items are completed or while busy', () => {
    expect(canProcess(list(row('pending')))).toBe(true);
    expect(canProcess(list(row('completed'), row('failed')))).toBe(true);
    expect(canProcess(list(row('completed'), row('completed')))).toBe(false);
    expect(canProcess(list())).toBe(false);
    expect(canProcess(list(row('pending'), row('processing', { item })))).toBe(false);
    expect(canProcess({ rows: [row('pending')], starting: true })).toBe(false);
  });
  it('disables Clear All while busy', () => {
    expect(canClear(list(row('completed')))).toBe(true);
    expect(canClear(list(row('completed'), row('uploading', { item })))).toBe(false);
    expect(canClear(list())).toBe(false);
  });
  it('allows a processing item to be canceled but not removed', () => {
    for (const status of ['uploading', 'queued', 'processing'] as const)
      expect(canRemove(row(status, { item }))).toBe(false);
    expect(canRemove(row('pending', { item, awaitsFile: true }))).toBe(false);
    for (const status of ['pending', 'completed', 'failed', 'rejected'] as const)
      expect(canRemove(row(status))).toBe(true);
    expect(canCancel(row('processing', { item }))).toBe(true);
    expect(canCancel(row('uploading', { item: { batchId: 'b', itemId: 'i' } }))).toBe(false);
  });
  it('allows a failed or canceled item to be retried when nothing runs', () => {
    expect([row('failed'), row('cancelled'), row('completed')].map((one) => canRetry(one, false))).toEqual([
      true,
      true,
      false,
    ]);
    expect(canRetry(row('failed'), true)).toBe(false);
  });
  it('is not busy while a lost file is awaited', () => {
    expect(isBusy(list(row('pending', { item, awaitsFile: true, file: undefined })))).toBe(false);
    expect(isBusy(list(row('pending', { item, awaitsFile: true })))).toBe(true);
  });
});

describe('splitByPlan', () => {
  it('submits only pending and failed rows', () => {
    const rows = (['pending', 'completed', 'failed', 'cancelled', 'expired', 'rejected'] as const).map((status) =>
      row(status),
    );
    expect(splitByPlan(rows, currentPlans.pro).run.map(({ status }) => status)).toEqual(['pending', 'failed']);
    expect(splitByPlan([row('pending', { file: undefined })], currentPlans.pro).run).toEqual([]);
  });
  it('does not submit invalid files', () => {
    const refused = row('failed', { isInvalid: true });
    expect(splitByPlan([refused], currentPlans.pro).run).toEqual([]);
    expect(canProcess(list(row('completed'), refused))).toBe(false);
    expect(canRetry(refused, false)).toBe(false);
  });
  it('locks rows beyond the plan limit', () => {
    const rows = Array.from({ length: 5 }, () => row('pending'));
    const { run, locked } = splitByPlan(rows, currentPlans.free);
    expect(run).toEqual(rows.slice(0, currentPlans.free.bulkFiles));
    expect(locked).toEqual(rows.slice(currentPlans.free.bulkFiles));
    expect(splitByPlan(rows, currentPlans.pro).locked).toEqual([]);
  });
});

describe('summarize', () => {
  const rows = [
    row('completed'),
    row('failed'),
    row('processing', { progress: 50 }),
    row('uploading', { sent: 100 }),
    row('pending', { file: undefined }),
    row('rejected'),
  ];
  it('counts the images', () => {
    expect(summarize(rows)).toMatchObject({ total: 5, done: 1, failed: 1, cancelled: 0, lost: 1 });
  });
  it('counts the rows of a run, with the partial progress of running ones', () => {
    const run = rowsOfRun(
      rows,
      rows.slice(2, 4).map(({ id }) => id),
    );
    expect(summarize(run)).toMatchObject({ total: 2, done: 0, percent: Math.floor(100 * ((0.515 + 0.03) / 2)) });
    expect(summarize([])).toMatchObject({ total: 0, percent: 0 });
  });
});
