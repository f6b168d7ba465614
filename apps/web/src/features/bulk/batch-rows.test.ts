import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Batch, BatchItem } from '@uprez/contracts/schemas/jobs/batch';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { describe, expect, it } from 'vitest';
import { listRowFacts } from './list/bulk-list.tsx';
import { applyBatch, applyJob, applyNewBatch } from './run/apply-batch.ts';
import { planRun } from './run/run-rows.ts';
import type { Row } from './state/row.ts';
import { parseList, selectStoredFiles, serializeList } from './state/saved-list.ts';

const file = new File(['12345'], 'a.png');
const row = (id: string, more: Partial<Row> = {}): Row => ({
  ...{ id, name: 'a.png', relativePath: 'a.png', size: 5, file, status: 'pending', sent: 0, progress: 0 },
  ...more,
});
const item = (id: string, more: Partial<BatchItem> = {}): BatchItem => ({
  ...{ id: `item-${id}`, clientId: id, name: 'a.png', relativePath: '', size: 5, status: 'waiting', progress: 0 },
  ...{ jobId: null, originalSize: null, processedSize: null, downloadUrl: null, thumbnailUrl: null, error: null },
  ...{ delivery: null, notes: [] },
  ...more,
});
const batch = (items: BatchItem[], more: Partial<Batch> = {}): Batch => ({
  ...{ id: 'b', status: 'active', progress: 0, counts: {} as Batch['counts'], items, createdAt: '', expiresAt: '' },
  recipe: { ...recipeDefaults, scaleFactor: 2 },
  paused: false,
  ...more,
});
const at = (id: string, jobId?: string) => ({ batchId: 'b', itemId: `item-${id}`, jobId });
const settings = { scaleFactor: 2, format: 'png', quality: 95, engine: 'standard' } as const;

describe('batch rows', () => {
  it('are matched to items by client ID', () => {
    const rows = applyNewBatch([row('x'), row('y'), row('z')], batch([item('y'), item('x')]));
    expect(rows.map((one) => [one.item?.itemId, one.awaitsFile])).toEqual([
      ['item-x', true],
      ['item-y', true],
      [undefined, undefined],
    ]);
  });
  it('take the status of their item', () => {
    const rows = ['x', 'y', 'z'].map((id) => row(id, { item: at(id), awaitsFile: true }));
    const items = [
      item('x', { status: 'completed', progress: 100, jobId: 'j', downloadUrl: '/d', thumbnailUrl: '/t' }),
      item('y', { status: 'failed', progress: 100, error: { code: 'corrupt_image', message: 'Damaged.' } }),
      item('z'),
    ];
    expect(applyBatch(rows, batch(items))).toMatchObject([
      { status: 'completed', progress: 100, downloadUrl: '/d', thumbnailUrl: '/t' },
      { status: 'failed', error: 'Damaged.', awaitsFile: false },
      { status: 'pending', awaitsFile: true },
    ]);
  });
  it('keep what they have when a response arrives after a newer one', () => {
    const done = row('x', { item: at('x', 'j'), awaitsFile: false, status: 'completed', downloadUrl: '/d' });
    const queued = row('x', { item: at('x', 'j'), awaitsFile: false, status: 'queued' });
    const failed = row('x', { item: at('x', 'j'), awaitsFile: false, status: 'failed' });
    const older = { waiting: batch([item('x')]), running: batch([item('x', { status: 'processing', jobId: 'j' })]) };
    for (const newer of [done, queued]) expect(applyBatch([newer], older.waiting)).toEqual([newer]);
    for (const newer of [done, failed]) expect(applyBatch([newer], older.running)).toEqual([newer]);
    // A retry has another job, or waits for the file.
    expect(applyBatch([failed], older.waiting)).toMatchObject([{ status: 'pending', awaitsFile: true }]);
    const again = batch([item('x', { status: 'queued', jobId: 'k' })]);
    expect(applyBatch([failed], again)).toMatchObject([{ status: 'queued', item: { jobId: 'k' } }]);
  });
  it('show the sizes of source and result, and whether the file is invalid', () => {
    const originalSize = { width: 370, height: 247, fileSize: 9 };
    const processedSize = { width: 740, height: 494, fileSize: 2_048 };
    const failed = (code: string) => item('x', { status: 'failed', error: { code, message: 'No.' } });
    const [done] = applyBatch(
      [row('x', { item: at('x') })],
      batch([item('x', { status: 'completed', originalSize, processedSize })]),
    );
    expect(done && listRowFacts(done, 4)).toEqual(['5 Bytes · 370 x 247', '-> 740 x 494 · 2 KB']);
    const kept = parseList(
      serializeList({ rows: done ? [done] : [], extraFiles: [], runIds: [], paused: false, requests: [] }, 0),
      1,
    )?.rows[0];
    expect(kept && listRowFacts(kept, 4)).toEqual(done && listRowFacts(done, 4));
    for (const [code, refused] of [
      ['empty_file', true],
      ['unsupported_format', true],
      ['processing_crashed', false],
    ] as const)
      expect(applyBatch([row('x', { item: at('x') })], batch([failed(code)]))[0]?.isInvalid).toBe(refused);
  });
  it('ignore a response that was sent before the upload', () => {
    for (const status of ['uploading', 'queued', 'processing'] as const)
      expect(applyBatch([row('x', { status, item: at('x') })], batch([item('x')]))[0]?.status).toBe(status);
  });
  it('return to pending when the quota is exceeded', () => {
    const error = { code: 'quota_exceeded', message: 'Used up.' };
    const [left] = applyNewBatch([row('x')], batch([item('x', { status: 'failed', error })]));
    expect(left).toMatchObject({ status: 'pending', error: 'Used up.' });
    expect(left?.item).toBeUndefined();
  });
  it('ignore a batch that no longer contains them', () => {
    const fresh = row('x');
    expect(applyBatch([fresh], batch([item('x', { status: 'failed' })]))[0]).toBe(fresh);
  });
  it('take progress from events, never backwards and never after the end', () => {
    const job = (progress: number) => ({ id: 'j', status: 'processing', progress }) as Job;
    const queued = [row('x', { status: 'queued', item: at('x', 'j') })];
    const moved = applyJob(queued, job(40));
    expect(moved[0]).toMatchObject({ status: 'processing', progress: 40 });
    expect(applyJob(moved, job(30))).toBe(moved);
    const done = [row('x', { status: 'completed', item: at('x', 'j') })];
    expect(applyJob(done, job(90))).toBe(done);
  });
});

describe('planRun', () => {
  const failed = (id: string, more: Partial<Row> = {}) => row(id, { status: 'failed', item: at(id), ...more });
  const known = (more: Partial<Batch> = {}) => ({
    b: batch([item('x', { status: 'failed' }), item('y', { status: 'failed' })], more),
  });
  it('puts pending rows into a new batch, and retries all failed rows of a batch with any engine', () => {
    const plan = planRun([row('new'), failed('x', { file: undefined }), failed('y')], known(), settings);
    expect(plan.fresh.map(({ id }) => id)).toEqual(['new']);
    expect(plan.again.map(({ batchId, rows }) => [batchId, rows.length])).toEqual([['b', 2]]);
  });
  it('creates a new batch for some failed rows, other settings, or a canceled batch; rows without a file are lost', () => {
    for (const plan of [
      planRun([failed('x')], known(), settings),
      planRun([failed('x'), failed('y')], known(), { ...settings, scaleFactor: 3 }),
      planRun([failed('x'), failed('y')], known({ status: 'cancelled' }), settings),
    ]) {
      expect(plan.again).toEqual([]);
      expect(plan.fresh.length).toBeGreaterThan(0);
    }
    expect(planRun([failed('x', { file: undefined })], known(), settings).lost).toHaveLength(1);
  });
  it('resends a file that the server still waits for', () => {
    expect(planRun([failed('x', { awaitsFile: true })], known(), settings).resend).toHaveLength(1);
  });
});

describe('saved list', () => {
  it('stores unsent files from the top, up to the limit', () => {
    const rows = [row('a'), row('b', { status: 'completed' }), row('c'), row('d')];
    expect([...selectStoredFiles(rows, 10).keys()]).toEqual(['a', 'c']);
    expect([...selectStoredFiles(rows).keys()]).toEqual(['a', 'c', 'd']);
  });
  it('saves rows without files, and resets interrupted uploads', () => {
    const rows = [
      row('a', { status: 'uploading', sent: 40, item: at('a'), awaitsFile: true }),
      row('r', { status: 'rejected' }),
    ];
    const text = serializeList(
      {
        rows,
        extraFiles: [{ name: 'z', size: 1, relativePath: 'z', file }],
        runIds: ['a'],
        paused: true,
        requests: [],
      },
      0,
    );
    expect(text).not.toContain('file');
    expect(parseList(text, 1_000)).toEqual({
      rows: [{ ...row('a', { item: at('a'), awaitsFile: true }), file: undefined }].map(({ file: _, ...kept }) => kept),
      extraFiles: [{ name: 'z', size: 1, relativePath: 'z' }],
      runIds: ['a'],
      paused: true,
      requests: [],
    });
  });
  it('returns undefined for an expired or invalid list', () => {
    const text = serializeList({ rows: [], extraFiles: [], runIds: [], paused: false, requests: [] }, 0);
    expect(parseList(text, 25 * 3_600_000)).toBeUndefined();
    for (const odd of [null, '', '{', 'null', '{"rows":1}']) expect(parseList(odd, 0)).toBeUndefined();
  });
});
