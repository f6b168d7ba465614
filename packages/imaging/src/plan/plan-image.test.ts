import type { Inspection } from '@uprez/contracts/image-plan';
import type { Recipe } from '@uprez/contracts/recipe';
import { describe, expect, it } from 'vitest';
import type { JobLimits } from './job-limits.ts';
import { planImage } from './plan-image.ts';
import { wallLimitMs } from './wall-limit.ts';

const photo: Inspection = {
  format: 'jpeg',
  width: 1_000,
  height: 750,
  orientation: 1,
  channels: 3,
  bitDepth: 8,
  hasAlpha: false,
  hasProfile: false,
  decodesWhole: false,
  frames: 1,
};
const generous: JobLimits = { maxOutputPixels: 512_000_000, maxJobSeconds: 100_000, autoEngine: 'photo-fast' };
const plan = (recipe: Partial<Recipe>, source: Partial<Inspection> = {}, limits: Partial<JobLimits> = {}) =>
  planImage({
    recipe: { scaleFactor: 2, format: 'png', quality: 95, engine: 'auto', ...recipe },
    inspection: { ...photo, ...source },
    limits: { ...generous, ...limits },
  });
const accepted = (...args: Parameters<typeof plan>) => {
  const outcome = plan(...args);
  if (!outcome.ok) throw new Error(outcome.refusal.detail);
  return outcome.plan;
};
const refused = (...args: Parameters<typeof plan>) => {
  const outcome = plan(...args);
  if (outcome.ok) throw new Error('accepted');
  return outcome.refusal;
};

describe('planImage', () => {
  it.each([
    [{ scaleFactor: 2 }, 'photo-fast', 1],
    [{ scaleFactor: 1.01 }, 'photo-fast', 1],
    [{ scaleFactor: 1 }, 'standard', 0],
    [{ scaleFactor: 8 }, 'photo-fast', 1],
    [{ scaleFactor: 8, engine: 'standard' }, 'standard', 0],
    [{ scaleFactor: 3, engine: 'photo' }, 'photo', 1],
    [{ scaleFactor: 1, engine: 'photo' }, 'photo', 1],
  ] as const)('%j runs %s with %d passes', (recipe, engine, passes) => {
    const made = accepted(recipe);
    expect([made.engine, made.passes, made.tiles > 0]).toEqual([engine, passes, passes > 0]);
  });

  it('auto follows the operator', () => {
    expect(accepted({}, {}, { autoEngine: 'photo' }).engine).toBe('photo');
  });

  it.each([
    [1.5, [333, 77], [500, 116]],
    [2.37, [101, 7], [239, 17]],
    [1, [5, 9], [5, 9]],
    [1.2, [1, 1], [1, 1]],
  ] as const)('factor %s of %j is %j', (scaleFactor, [width, height], [outWidth, outHeight]) => {
    expect(accepted({ scaleFactor }, { width, height }).output).toMatchObject({ width: outWidth, height: outHeight });
  });

  it.each([
    [{ width: 32_768, height: 2 }, 'side_too_long', { limit: 32_767, value: 32_768 }],
    [{ width: 786_464, height: 32 }, 'side_too_long', { limit: 32_767, value: 786_464 }],
    [{ width: 10_001, height: 10_000 }, 'too_many_pixels', { limit: 100_000_000, value: 100_010_000 }],
    [{ channels: 6 }, 'unsupported_format', { limit: 5, value: 6 }],
    [{ frames: 2 }, 'unsupported_format', { limit: 1, value: 2 }],
  ] as const)('refuses the input %j: %s', (source, code, meta) => {
    expect(refused({ scaleFactor: 1 }, source)).toMatchObject({ code, meta });
  });

  it.each([
    ['jpeg', { width: 32_767, height: 100 }, { limit: 65_535, maxFactor: 2 }],
    ['webp', { width: 8_000, height: 2_000 }, { limit: 16_383, maxFactor: 2.04 }],
  ] as const)('%s: what the file can hold comes before what the plan allows', (format, source, meta) => {
    const recipe = { format, scaleFactor: 3, engine: 'standard' } as const;
    const limits = { maxOutputPixels: 70_000_000 };
    expect(refused(recipe, source, limits)).toMatchObject({ code: 'output_too_large', meta });
    expect(plan({ ...recipe, scaleFactor: meta.maxFactor }, source, limits).ok).toBe(true);
  });

  it("names the plan's limit and the largest factor, and that factor is accepted", () => {
    const limits = { maxOutputPixels: 5_000_000 };
    const refusal = refused({ scaleFactor: 4 }, {}, limits);
    expect(refusal).toMatchObject({
      code: 'output_too_large',
      param: 'scaleFactor',
      meta: { limit: 5_000_000, value: 12_000_000, maxFactor: 2.58 },
    });
    expect(refusal.detail).toBe(
      'The result would be 4,000 x 3,000 pixels (12 megapixels); the limit is 5 megapixels. The largest factor that works is 2.58. Nothing was charged.',
    );
    expect(plan({ scaleFactor: 2.58 }, {}, limits).ok).toBe(true);
    expect(plan({ scaleFactor: 2.59 }, {}, limits).ok).toBe(false);
  });

  it('never exceeds 512 megapixels, whatever the plan says', () => {
    const refusal = refused(
      { scaleFactor: 8, engine: 'standard' },
      { width: 5_000, height: 5_000 },
      { maxOutputPixels: 9e9 },
    );
    expect(refusal).toMatchObject({ code: 'output_too_large', meta: { limit: 512_000_000 } });
  });

  it('refuses what takes too long, with a factor when a smaller one helps', () => {
    expect(refused({ engine: 'photo', scaleFactor: 4 }, {}, { maxJobSeconds: 60 })).toMatchObject({
      code: 'job_too_long',
      meta: { limit: 60 },
    });
    const slow = refused({ engine: 'standard', format: 'webp', scaleFactor: 8 }, {}, { maxJobSeconds: 5 });
    expect(slow.code).toBe('job_too_long');
    expect(slow.meta.maxFactor).toBeGreaterThan(1);
    expect(slow.meta.maxFactor).toBeLessThan(8);
  });

  it('refuses a WebP that its encoder could not hold in memory', () => {
    const refusal = refused({ format: 'webp', scaleFactor: 4, engine: 'standard' }, { width: 4_000, height: 4_000 });
    expect(refusal.code).toBe('output_too_large');
    expect(refusal.detail).toContain('memory');
    expect(plan({ scaleFactor: 4, engine: 'standard' }, { width: 4_000, height: 4_000 }).ok).toBe(true);
  });

  it('refuses an engine that is not there and says which are', () => {
    expect(refused({ engine: 'photo' }, {}, { enginesAvailable: ['standard', 'photo-fast'] })).toMatchObject({
      code: 'engine_unavailable',
      param: 'engine',
      allowed: ['auto', 'standard', 'photo-fast'],
    });
  });

  it('estimates by the measured speed of this machine', () => {
    const slow = accepted({}, {}, { speed: { 'photo-fast': 10_000 } }).estimate.seconds;
    const fast = accepted({}, {}, { speed: { 'photo-fast': 1_000_000 } }).estimate.seconds;
    expect(slow).toBeGreaterThan(50 * fast * 0.5);
  });

  it('covers the picture with tiles within the memory of a strip', () => {
    const { tile, tiles } = accepted({ scaleFactor: 1.5 }, { width: 30_000, height: 900 });
    if (!tile) throw new Error('no tile');
    expect(tiles).toBe(Math.ceil(30_000 / tile.core) * Math.ceil(900 / tile.core));
    expect(30_000 * 16 * 3 * (tile.core + 2 * tile.overlap)).toBeLessThanOrEqual(128 * 1024 * 1024);
    expect(accepted({}, { width: 20, height: 10 })).toMatchObject({ tiles: 1, tile: { core: 24 } });
  });
});

describe('wallLimitMs', () => {
  const taking = (seconds: number) => {
    const made = accepted({});
    return { ...made, estimate: { ...made.estimate, seconds } };
  };
  it.each([
    [1, 3_600, 120_000],
    [100, 3_600, 400_000],
    [2_000, 3_600, 3_600_000],
    [1, 60, 60_000],
  ])('an estimate of %d s under a cap of %d s gives %d ms', (seconds, cap, ms) => {
    expect(wallLimitMs(taking(seconds), cap)).toBe(ms);
  });
});
