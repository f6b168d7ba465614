import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { describe, expect, it } from 'vitest';
import { type ActivityPages, applyJobEvent, isOutdated } from './use-activity.ts';

const job = (id: string, part: Partial<Job> = {}): Job => ({
  id,
  filename: `${id}.png`,
  status: 'completed',
  progress: 100,
  scaleFactor: 2,
  recipe: { ...recipeDefaults, scaleFactor: 2 },
  format: 'png',
  quality: 95,
  engine: 'standard',
  createdAt: '2026-11-05T10:00:00.000Z',
  expiresAt: null,
  originalSize: { width: 8, height: 8, fileSize: 100 },
  processedSize: null,
  fidelity: null,
  processingTimeMs: null,
  estimatedSeconds: 1,
  notes: [],
  credits: 1,
  downloadUrl: null,
  thumbnailUrl: null,
  ...part,
});
const pages = (...lists: Job[][]): ActivityPages => ({
  pages: lists.map((jobs) => ({ jobs, total: 7, next: undefined })),
  pageParams: lists.map(() => undefined),
});
const ids = ({ pages: all }: ActivityPages) => all.map(({ jobs }) => jobs.map(({ id }) => id));
const any = { status: undefined, search: '' };

describe('applyJobEvent', () => {
  it('replaces a known job', () => {
    const after = applyJobEvent(pages([job('b')], [job('a', { status: 'processing' })]), job('a'), any);
    expect(ids(after)).toEqual([['b'], ['a']]);
    expect(after.pages[1]?.jobs[0]?.status).toBe('completed');
    expect(after.pages[0]?.total).toBe(7);
  });

  it('prepends a new job', () => {
    const after = applyJobEvent(pages([job('a')]), job('b', { createdAt: '2026-11-05T10:00:01.000Z' }), any);
    expect(ids(after)).toEqual([['b', 'a']]);
    expect(after.pages[0]?.total).toBe(8);
    expect(ids(applyJobEvent(pages([]), job('a'), any))).toEqual([['a']]);
  });

  it('ignores a job that is older than the list', () => {
    const before = pages([job('a')]);
    expect(applyJobEvent(before, job('b', { createdAt: '2026-11-05T09:00:00.000Z' }), any)).toBe(before);
  });

  it('ignores a new job whose file name does not match the search', () => {
    const newer = { createdAt: '2026-11-05T10:00:01.000Z' };
    const harbor = { ...any, search: 'HARBOR' };
    expect(ids(applyJobEvent(pages([]), job('harbor', newer), harbor))).toEqual([['harbor']]);
    expect(ids(applyJobEvent(pages([]), job('cat', newer), harbor))).toEqual([[]]);
  });

  it('removes a job that no longer matches the filter', () => {
    const filter = { status: 'processing', search: '' } as const;
    const after = applyJobEvent(pages([job('a', { status: 'processing' })]), job('a'), filter);
    expect(ids(after)).toEqual([[]]);
    expect(after.pages[0]?.total).toBe(6);
    const before = pages([]);
    expect(applyJobEvent(before, job('a'), filter)).toBe(before);
  });
});

describe('isOutdated', () => {
  it('returns true when a job is missing or has another status', () => {
    expect(isOutdated(pages([job('a')]), [job('a')], any)).toBe(false);
    expect(isOutdated(pages([job('a')]), [job('b')], any)).toBe(true);
    expect(isOutdated(pages([job('a')]), [job('a', { status: 'expired' })], any)).toBe(true);
  });

  it('compares only jobs that match the filter', () => {
    const filter = { status: 'failed', search: '' } as const;
    expect(isOutdated(pages([]), [job('a')], filter)).toBe(false);
    expect(isOutdated(pages([]), [job('a', { status: 'failed' })], filter)).toBe(true);
    expect(isOutdated(pages([job('a', { status: 'failed' })]), [job('a')], filter)).toBe(true);
  });
});
