import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { describe, expect, it } from 'vitest';
import { countStripPixels } from './choose-passes.ts';
import { computeMemoryLimitBytes, computeWallLimitMs, estimateSeconds, estimateStages } from './estimate.ts';
import type { JobLimits } from './job-limits.ts';
import { makePipeline } from './make-pipeline.ts';

const photo: Inspection = {
  format: 'jpeg',
  width: 1_000,
  height: 750,
  orientation: 1,
  channels: 3,
  space: 'rgb',
  isPalette: false,
  bitDepth: 8,
  hasAlpha: false,
  hasProfile: false,
  decodesWhole: false,
  frames: 1,
};
const generous: JobLimits = { maxOutputPixels: 512_000_000, maxJobSeconds: 100_000, autoEngine: 'photo-fast' };
const isSized = (recipe: Partial<Recipe>) => sizeFields.some((name) => recipe[name] !== undefined);
const make = (recipe: Partial<Recipe>, source: Partial<Inspection> = {}, limits: Partial<JobLimits> = {}) =>
  makePipeline({
    recipe: { ...recipeDefaults, ...(isSized(recipe) ? {} : { scaleFactor: 2 }), ...recipe },
    inspection: { ...photo, ...source },
    limits: { ...generous, ...limits },
  });
const accepted = (...args: Parameters<typeof make>) => {
  const outcome = make(...args);
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  return outcome.pipeline;
};
const refused = (...args: Parameters<typeof make>) => {
  const outcome = make(...args);
  if (outcome.ok) throw new Error('accepted');
  return outcome.rejection;
};

it.each([
  [{ format: 'jpeg' }, 6],
  [{ format: 'jxl' }, 6],
  [{ format: 'png' }, 2],
  [{ format: 'webp', engine: 'nearest' }, 2],
  [{ format: 'jxl', engine: 'nearest' }, 1],
] as const)('counts the attempts to reach a target size with %o', (recipe, attempts) => {
  const encode = (targetBytes?: number) =>
    estimateStages(accepted({ ...recipe, ...(targetBytes && { targetBytes }) })).encode;
  expect(encode(10_000)).toBeCloseTo(attempts * encode());
});

describe('makePipeline', () => {
  it.each([
    [{ scaleFactor: 2 }, 'photo-fast', 1],
    [{ scaleFactor: 1.01 }, 'photo-fast', 1],
    [{ scaleFactor: 1 }, 'standard', 0],
    [{ scaleFactor: 8 }, 'photo-fast', 1],
    [{ scaleFactor: 8, engine: 'standard' }, 'standard', 0],
    [{ scaleFactor: 3, engine: 'photo' }, 'photo', 1],
    [{ scaleFactor: 1, engine: 'photo' }, 'photo', 1],
    [{ scaleFactor: 8.5 }, 'photo-fast', 2],
    [{ longSide: 4_000 }, 'photo-fast', 1],
    [{ longSide: 400 }, 'standard', 0],
    [{ width: 600, engine: 'photo' }, 'photo', 1],
  ] as const)('%j runs %s with %d passes', (recipe, engine, passes) => {
    const made = accepted(recipe);
    expect([made.engine, made.passes, made.tiles > 0]).toEqual([engine, passes, passes > 0]);
  });

  it("uses the operator's engine for auto", () => {
    expect(accepted({}, {}, { autoEngine: 'photo' })).toMatchObject({ engine: 'photo', auto: { drawings: 'art' } });
  });

  it.each([
    [{}, {}, { code: 'content', drawings: 'art-fast' }],
    [{ scaleFactor: 0.5 }, {}, { code: 'not_upscaled', drawings: null }],
    [{ scaleFactor: 1.5 }, { width: 8_000, height: 5_000 }, { code: 'already_large', drawings: null }],
    [{ scaleFactor: 1.5 }, { width: 8_000, height: 4_999 }, { code: 'content', drawings: 'art-fast' }],
    [{ engine: 'photo-fast' }, {}, undefined],
  ] as const)('sets how auto chooses for %j of %j', (recipe, source, auto) => {
    const made = accepted(recipe, source);
    expect(made.auto).toEqual(auto);
    expect(made.engine).toBe(auto && auto.code !== 'content' ? 'standard' : 'photo-fast');
  });

  it('lets auto run an engine for drawings only where one runs', () => {
    const drawings = (limits: Partial<JobLimits>) => accepted({}, {}, limits).auto?.drawings;
    expect(drawings({ enginesAvailable: ['standard', 'photo-fast'] })).toBe(null);
    expect(drawings({ pausedEngines: ['art-fast'] })).toBe(null);
    expect(drawings({ autoEngine: 'art' })).toBe(null);
    expect(drawings({ enginesAvailable: ['standard', 'photo-fast', 'art-fast'], pausedEngines: ['art'] })).toBe(
      'art-fast',
    );
  });

  it('reserves memory for the engine that auto may choose', () => {
    const memory = (engine: Recipe['engine']) => accepted({ engine }).estimate.peakMemoryBytes;
    expect(memory('auto')).toBe(Math.max(memory('photo-fast'), memory('art-fast')));
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
    [{ width: 500 }, [500, 375], null],
    [{ height: 1_500 }, [2_000, 1_500], null],
    [{ width: 2_000, height: 2_000 }, [2_000, 1_500], null],
    [{ width: 2_000, height: 2_000, fit: 'inside' }, [1_000, 750], null],
    [{ width: 300, height: 300, fit: 'inside' }, [300, 225], null],
    [{ width: 300, height: 300, fit: 'cover' }, [300, 300], { left: 125, top: 0, width: 750, height: 750 }],
    [{ width: 2_000, height: 1_500, fit: 'cover' }, [2_000, 1_500], null],
    [{ longSide: 1_600 }, [1_600, 1_200], null],
    [{ shortSide: 1_500 }, [2_000, 1_500], null],
    [{ megapixels: 3 }, [2_000, 1_500], null],
  ] as const)('a target of %j gives %j', (recipe, [width, height], crop) => {
    expect(accepted(recipe)).toMatchObject({ output: { width, height }, crop });
  });

  it.each([
    [{ scaleFactor: 1 }, true],
    [{ scaleFactor: 0.5 }, true],
    [{ scaleFactor: 1, engine: 'photo-fast' }, false],
    [{ scaleFactor: 1.1, engine: 'standard' }, false],
  ] as const)('decodes %j directly to its size: %s', (recipe, shrinks) => {
    expect(accepted(recipe).shrinks).toBe(shrinks);
  });

  it.each([
    [{}, {}, 'jpeg'],
    [{}, { format: 'heic' }, 'jpeg'],
    [{}, { format: 'heic', bitDepth: 10 }, 'jpeg'],
    [{}, { format: 'webp' }, 'jpeg'],
    [{}, { format: 'png' }, 'png'],
    [{}, { format: 'bmp' }, 'png'],
    [{}, { hasAlpha: true, channels: 4 }, 'webp'],
    [{ scaleFactor: 20 }, { hasAlpha: true, channels: 4 }, 'png'],
    [{}, { isPalette: true }, 'png'],
    [{}, { bitDepth: 16 }, 'png'],
    [{}, { frames: 5, hasAlpha: true, channels: 4, format: 'gif' }, 'webp'],
  ] as const)('auto writes %j of %j as %s', (recipe, source, format) => {
    const { output } = accepted({ format: 'auto', engine: 'standard', ...recipe }, source);
    expect(output.format).toBe(format);
  });

  it.each([
    ['png', 16, 1],
    ['tiff', 16, 1],
    ['jxl', 16, 1],
    ['jpeg', 8, 1],
    ['webp', 8, 9],
    ['gif', 8, 9],
  ] as const)('%s keeps %d bits and %d frames', (format, bitDepth, frames) => {
    const source = { bitDepth: 16, frames: 9, width: 40, height: 30 };
    expect(accepted({ format }, source).output).toMatchObject({ bitDepth, frames });
  });

  it.each([
    [{ width: 12_000, height: 10_000 }, 'too_many_pixels', '10,954 x 9,128'],
    [{ width: 1_000, height: 40_000 }, 'side_too_long', '819 x 32,767'],
    [{ width: 40_000, height: 32_000 }, 'side_too_long', '11,180 x 8,944'],
  ])('says how small an image of %j must be', (source, code, most) => {
    const rejection = refused({}, source);
    expect(rejection.code).toBe(code);
    expect(rejection.detail).toContain(`Resize it to at most ${most} pixels first.`);
  });

  it('counts the pixels of all frames against the limits', () => {
    const source = { format: 'gif', frames: 1_000, width: 1, height: 1 } as const;
    expect(refused({ width: 10_000, format: 'gif', engine: 'standard' }, source)).toMatchObject({
      code: 'output_too_large',
    });
  });

  it("rejects what the caller's pipeline does not include", () => {
    const limits = { plan: currentPlans.free } as const;
    expect(refused({ scaleFactor: 5 }, {}, limits)).toMatchObject({
      code: 'plan_feature',
      param: 'scaleFactor',
      meta: { limit: 4, value: 5, maxFactor: 4, unlockedBy: 'pro' },
    });
    expect(make({ scaleFactor: 5, engine: 'standard' }, {}, limits).ok).toBe(true);
    expect(refused({ longSide: 9_000, engine: 'standard' }, {}, limits).meta).toMatchObject({ limit: 8, maxFactor: 8 });
    expect(refused({ format: 'avif' }, {}, limits)).toMatchObject({ code: 'plan_feature', param: 'format' });
  });

  it.each([
    [{ width: 32_768, height: 2 }, 'side_too_long', { limit: 32_767, value: 32_768 }],
    [{ width: 786_464, height: 32 }, 'side_too_long', { limit: 32_767, value: 786_464 }],
    [{ width: 10_001, height: 10_000 }, 'too_many_pixels', { limit: 100_000_000, value: 100_010_000 }],
    [{ frames: 1_001 }, 'too_many_frames', { limit: 1_000, value: 1_001 }],
    [{ frames: 100 }, 'too_many_frames', { limit: 1_000, value: 100 }],
  ] as const)('rejects the input %j: %s', (source, code, meta) => {
    expect(refused({ scaleFactor: 1 }, source)).toMatchObject({ code, meta });
  });

  it.each([
    ['jpeg', { width: 32_767, height: 100 }, { limit: 65_535, maxFactor: 2 }],
    ['webp', { width: 8_000, height: 2_000 }, { limit: 16_383, maxFactor: 2.04 }],
  ] as const)('checks the format before the plan: %s', (format, source, meta) => {
    const recipe = { format, scaleFactor: 3, engine: 'standard' } as const;
    const limits = { maxOutputPixels: 70_000_000 };
    expect(refused(recipe, source, limits)).toMatchObject({ code: 'output_too_large', meta });
    expect(make({ ...recipe, scaleFactor: meta.maxFactor }, source, limits).ok).toBe(true);
  });

  it('limits the pixels of JPEG XL, whose encoder takes much memory', () => {
    const source = { width: 4_000, height: 3_000 };
    const recipe = { format: 'jxl', scaleFactor: 2, engine: 'standard' } as const;
    expect(refused(recipe, source)).toMatchObject({
      code: 'output_too_large',
      param: 'scaleFactor',
      detail:
        'The result would be 8,000 x 6,000 pixels (48 megapixels). The maximum for JPEG XL is 24 megapixels. The largest scale factor that works is 1.41.',
      meta: { limit: 24_000_000, value: 48_000_000, maxFactor: 1.41 },
    });
    const { estimate } = accepted({ ...recipe, scaleFactor: 1.41 }, source);
    expect(estimate.peakMemoryBytes).toBeGreaterThan(1_000_000_000);
    expect(estimate.seconds).toBeGreaterThan(5);
    const deep = refused({ ...recipe, scaleFactor: 1.41 }, { ...source, bitDepth: 16, channels: 4, hasAlpha: true });
    expect(deep.detail).toMatch(
      /Processing would need about 1,\d+ MB of memory.*The largest scale factor that works is 1\.\d+/,
    );
  });

  it("returns the plan's limit and the largest accepted factor", () => {
    const limits = { maxOutputPixels: 5_000_000 };
    const rejection = refused({ scaleFactor: 4 }, {}, limits);
    expect(rejection).toMatchObject({
      code: 'output_too_large',
      param: 'scaleFactor',
      meta: { limit: 5_000_000, value: 12_000_000, maxFactor: 2.58 },
    });
    expect(rejection.detail).toBe(
      'The result would be 4,000 x 3,000 pixels (12 megapixels). The maximum is 5 megapixels. The largest scale factor that works is 2.58.',
    );
    expect(make({ scaleFactor: 2.58 }, {}, limits).ok).toBe(true);
    expect(make({ scaleFactor: 2.59 }, {}, limits).ok).toBe(false);
  });

  it('never exceeds 512 megapixels', () => {
    const rejection = refused(
      { scaleFactor: 8, engine: 'standard' },
      { width: 5_000, height: 5_000 },
      { maxOutputPixels: 9e9 },
    );
    expect(rejection).toMatchObject({ code: 'output_too_large', meta: { limit: 512_000_000 } });
  });

  it('rejects long jobs, with a factor when a smaller one helps', () => {
    expect(refused({ engine: 'photo', scaleFactor: 4 }, {}, { maxJobSeconds: 60 })).toMatchObject({
      code: 'job_too_long',
      meta: { limit: 60 },
    });
    const slow = refused({ engine: 'standard', format: 'webp', scaleFactor: 8 }, {}, { maxJobSeconds: 5 });
    expect(slow.code).toBe('job_too_long');
    expect(slow.meta.maxFactor).toBeGreaterThan(1);
    expect(slow.meta.maxFactor).toBeLessThan(8);
  });

  it('rejects jobs over the time limit of the plan, and names a plan and a faster engine', () => {
    const large = { width: 6_000, height: 6_000 };
    const speed = { 'photo-fast': 30_000 };
    const slow = refused({ scaleFactor: 2 }, large, { plan: currentPlans.free, speed });
    expect(slow).toMatchObject({ code: 'job_too_long', meta: { limit: 300, unlockedBy: 'pro' } });
    expect(slow.meta.value).toBeGreaterThan(300);
    expect(slow.detail).toMatch(
      /^Processing would take about [\d.]+ minutes\. Your plan allows up to 5 minutes\. Upgrade to Pro for longer jobs\. Use "standard"/,
    );
    expect(make({ scaleFactor: 2 }, large, { plan: currentPlans.pro, speed }).ok).toBe(true);
    expect(make({ scaleFactor: 2, engine: 'standard' }, large, { plan: currentPlans.free }).ok).toBe(true);
    expect(refused({ engine: 'photo' }, large, { plan: currentPlans.free }).detail).toContain('Use "photo-fast"');
  });

  it('accepts jobs that are short enough if the image is soft', () => {
    const large = { width: 6_000, height: 6_000 };
    const caller = { plan: currentPlans.free, speed: { 'photo-fast': 70_000 } };
    const pipeline = accepted({ scaleFactor: 2 }, large, caller);
    expect(pipeline.estimate.seconds).toBeGreaterThan(500);
    expect(estimateSeconds(pipeline)).toBeLessThan(300);
    expect(estimateSeconds(pipeline, 1)).toBe(pipeline.estimate.seconds);
    expect(accepted({ scaleFactor: 4 }).estimate.networkSeconds).toBeUndefined();
    expect(accepted({ scaleFactor: 2, engine: 'standard' }).estimate.networkSeconds).toBeUndefined();
  });

  it('rejects AI for smaller results, unless it takes a few seconds', () => {
    const large = { width: 10_000, height: 10_000 };
    const rejection = refused({ scaleFactor: 0.5, engine: 'photo-fast' }, large, { plan: currentPlans.enterprise });
    expect(rejection).toMatchObject({ code: 'job_too_long', param: 'engine', allowed: ['auto', 'standard'] });
    expect(rejection.detail).toContain('Use "standard"');
    const short = { plan: currentPlans.free } as const;
    expect(make({ scaleFactor: 0.5, engine: 'photo-fast' }, { width: 500, height: 500 }, short).ok).toBe(true);
    expect(make({ scaleFactor: 0.5 }, large, short).ok).toBe(true);
    expect(accepted({ scaleFactor: 1, engine: 'photo-fast' }, { width: 3_000, height: 3_000 }, short).passes).toBe(1);
  });

  it.each([0.5, 1.01, 1.4, 4])('estimates all strips of the network for a scale of %d', (scaleFactor) => {
    const made = accepted({ scaleFactor, engine: 'photo-fast' }, { width: 6_000, height: 4_000 });
    expect(countStripPixels(made)).toBeGreaterThan(24_000_000);
    expect(countStripPixels(made)).toBeLessThan(25_000_000);
    expect(made.estimate.seconds).toBeGreaterThan(countStripPixels(made) / 150_000);
  });

  it.each([
    [{ scaleFactor: 4 }, 4],
    [{ scaleFactor: 4.5, engine: 'photo' }, 4.5],
    [{ longSide: 5_000 }, 5],
    [{ scaleFactor: 1, engine: 'photo-fast' }, 1],
    [{ scaleFactor: 2, engine: 'standard' }, 2],
  ] as const)('rejects crisp for %j', (recipe, value) => {
    const rejection = refused({ ...recipe, detail: 'crisp' });
    expect(rejection).toMatchObject({ code: 'conflicting_params', param: 'detail', allowed: ['faithful'] });
    expect(rejection.meta).toEqual({ limit: 4, value });
    expect(make({ ...recipe, detail: 'faithful' }).ok).toBe(true);
  });

  it('ignores crisp where auto uses the standard engine', () => {
    const crisp = { detail: 'crisp' } as const;
    expect(accepted({ ...crisp, scaleFactor: 0.5 }).estimate).toEqual(accepted({ scaleFactor: 0.5 }).estimate);
    expect(accepted(crisp, { width: 8_000, height: 5_000 }).engine).toBe('standard');
  });

  it.each([
    [1.5, 2 / 3],
    [2, 2 / 3],
    [2.5, 0.625],
    [3.5, 0.875],
  ])('estimates the smaller work of crisp at a scale of %d', (scaleFactor, share) => {
    const speed = { 'photo-fast': 1_000 };
    const image = { width: 3_000, height: 2_000 };
    const [faithful, crisp] = (['faithful', 'crisp'] as const).map(
      (detail) => accepted({ scaleFactor, detail }, image, { speed }).estimate.seconds,
    );
    expect((crisp ?? 0) / (faithful ?? 1)).toBeGreaterThan(share ** 2);
    expect((crisp ?? 0) / (faithful ?? 1)).toBeLessThan(1.2 * share ** 2);
  });

  it('stops crisp runs earlier, and estimates the same time as faithful for images without detail', () => {
    const [faithful, crisp] = (['faithful', 'crisp'] as const).map((detail) =>
      accepted({ detail }, { width: 6_000, height: 4_000 }),
    );
    if (!faithful || !crisp) throw new Error('not made');
    const wall = [crisp, faithful].map((pipeline) => computeWallLimitMs(pipeline, { maxJobSeconds: 100_000 }));
    expect((wall[0] ?? 0) / (wall[1] ?? 1)).toBeLessThan(0.6);
    expect(estimateSeconds(crisp, 1)).toBe(crisp.estimate.seconds);
    expect(estimateSeconds(crisp) / estimateSeconds(faithful)).toBeGreaterThan(0.8);
    expect(estimateSeconds(crisp) / estimateSeconds(faithful)).toBeLessThan(1.05);
  });

  it.each([
    ['a small image', {}, { width: 64, height: 64 }],
    ['an animation', { format: 'gif' }, { format: 'gif', frames: 3 }],
  ] as const)('uses only tiles for %s, and estimates all of them', (_, recipe, source) => {
    const made = accepted(recipe, source);
    const pixels = made.tiles * ((made.tile?.core ?? 0) + 2 * (made.tile?.overlap ?? 0)) ** 2;
    expect(made).toMatchObject({ strip: null, strips: 0, bands: 0, engine: 'photo-fast' });
    expect(made.estimate.seconds).toBeGreaterThan(pixels / 150_000);
  });

  it('uses strips of the full width, or in bands where this would exceed the memory', () => {
    expect(accepted({ scaleFactor: 4 })).toMatchObject({
      ...{ strip: { rows: 16, width: 1_068, border: 34 }, strips: Math.ceil((750 + 3 * 34) / 16), bands: 1 },
    });
    expect(accepted({ scaleFactor: 10 })).toMatchObject({ passes: 2, bands: 2, strip: { width: 4_068 } });
    const wide = accepted({ scaleFactor: 1.2 }, { width: 30_000, height: 900 });
    expect(wide).toMatchObject({ bands: 4, strip: { width: 7_517 }, strips: 4 * Math.ceil((900 + 3 * 34) / 16) });
    const slow = accepted({ engine: 'photo' });
    expect(slow).toMatchObject({ bands: 2, strip: { width: 532, border: 32 } });
    expect(slow.strips).toBe(2 * Math.ceil((750 + 64 + 349) / 32));
    // The columns that bands pass to each other take 360 kB for each row.
    const limits = { enginesAvailable: ['photo'], maxJobSeconds: 100_000 } as const;
    const high = (height: number) => accepted({ engine: 'photo' }, { width: 1_000, height }, limits);
    expect(high(11_000)).toMatchObject({ bands: 2 });
    expect(high(12_500)).toMatchObject({ bands: 0, strip: null });
  });

  it('returns the largest scale of a plan that also limits shrinking with AI', () => {
    const rejection = refused(
      { scaleFactor: 8, engine: 'photo-fast' },
      { width: 3_000, height: 2_000 },
      { plan: currentPlans.free },
    );
    expect(rejection).toMatchObject({ code: 'plan_feature', meta: { maxFactor: 4 } });
  });

  it('rejects a WebP when its encoder needs too much memory', () => {
    const rejection = refused({ format: 'webp', scaleFactor: 4, engine: 'standard' }, { width: 4_000, height: 4_000 });
    expect(rejection.code).toBe('output_too_large');
    expect(rejection.detail).toContain('memory');
    expect(make({ scaleFactor: 4, engine: 'standard' }, { width: 4_000, height: 4_000 }).ok).toBe(true);
  });

  it('rejects an unavailable engine and lists the available ones', () => {
    expect(refused({ engine: 'photo' }, {}, { enginesAvailable: ['standard', 'photo-fast'] })).toMatchObject({
      code: 'engine_unavailable',
      param: 'engine',
      allowed: ['auto', 'standard', 'photo-fast'],
    });
  });

  describe('with a custom model', () => {
    const digest = '0'.repeat(64);
    const facts = { sha256: digest, sizeBytes: 1_000_000, overlap: 20, bytesPerPixel: 20_000, pixelsPerSecond: 10_000 };
    const customModels = { 'custom:mine': facts };
    const size = { width: 600, height: 400 };
    const custom = { engine: 'custom:mine', scaleFactor: 2 } as const;

    it('plans tiles with its overlap and stores its facts', () => {
      const pipeline = accepted(custom, size, { customModels });
      expect(pipeline).toMatchObject({ engine: 'custom:mine', custom: facts, strip: null, tile: { overlap: 28 } });
      expect(pipeline.tiles).toBeGreaterThan(1);
    });

    it('estimates with the speed of the worker, and else with the speed when the model was added', () => {
      const secondsAt = (speed: Record<string, number>, pixelsPerSecond = 10_000) => {
        const models = { 'custom:mine': { ...facts, pixelsPerSecond } } as const;
        return accepted(custom, size, { customModels: models, speed }).estimate.seconds;
      };
      expect(secondsAt({}, 1_000)).toBeGreaterThan(8 * secondsAt({}));
      expect(secondsAt({ 'custom:mine': 10_000 }, 1_000)).toBe(secondsAt({}));
    });

    it('counts its weights and the memory of its tiles', () => {
      const memoryOf = (change: Partial<typeof facts>) =>
        accepted(custom, size, { customModels: { 'custom:mine': { ...facts, ...change } } }).estimate.peakMemoryBytes;
      expect(memoryOf({ sizeBytes: 101_000_000 }) - memoryOf({})).toBe(200_000_000);
      expect(memoryOf({ bytesPerPixel: 40_000 })).toBeGreaterThan(memoryOf({ bytesPerPixel: 1_000 }));
    });

    it('limits it like other AI engines of the plan', () => {
      const rejection = refused({ ...custom, scaleFactor: 8 }, size, { customModels, plan: currentPlans.free });
      expect(rejection).toMatchObject({ code: 'plan_feature', meta: { limit: 4 } });
    });

    it.each([
      ['no worker has it', {}],
      ['workers have another one', { customModels: { 'custom:other': facts }, enginesAvailable: ['standard'] }],
    ] as const)('rejects it when %s', (_, limits) => {
      expect(refused(custom, size, limits)).toMatchObject({ code: 'engine_unavailable', param: 'engine' });
    });

    it.each([{ detail: 'crisp' }, { edges: 'wrap' }] as const)('rejects %j', (option) => {
      const [param] = Object.keys(option);
      expect(refused({ ...custom, ...option }, size, { customModels })).toMatchObject({
        ...{ code: 'conflicting_params', param },
      });
    });

    it('is never chosen by auto', () => {
      expect(accepted({ engine: 'auto' }, size, { customModels })).toMatchObject({ engine: 'photo-fast' });
    });
  });

  it('uses the measured speed of the installation', () => {
    const slow = accepted({}, {}, { speed: { 'photo-fast': 10_000 } }).estimate.seconds;
    const fast = accepted({}, {}, { speed: { 'photo-fast': 1_000_000 } }).estimate.seconds;
    expect(slow).toBeGreaterThan(50 * fast * 0.5);
  });

  it('chooses tiles within the memory of a strip', () => {
    const { tile, tiles } = accepted({ scaleFactor: 1.5 }, { width: 30_000, height: 900 });
    if (!tile) throw new Error('no tile');
    expect(tiles).toBe(Math.ceil(30_000 / tile.core) * Math.ceil(900 / tile.core));
    expect(30_000 * 16 * 3 * (tile.core + 2 * tile.overlap)).toBeLessThanOrEqual(128 * 1024 * 1024);
    expect(accepted({}, { width: 20, height: 10 })).toMatchObject({ tiles: 1, tile: { core: 24 } });
  });
});

describe('computeWallLimitMs', () => {
  const taking = (seconds: number) => {
    const made = accepted({});
    return { ...made, estimate: { ...made.estimate, seconds } };
  };
  it.each([
    [0.1, 3_600, 20_800],
    [5, 3_600, 60_000],
    [20, 3_600, 120_000],
    [100, 3_600, 400_000],
    [2_000, 3_600, 3_600_000],
    [20, 60, 60_000],
  ])('an estimate of %d s under a cap of %d s gives %d ms', (seconds, maxJobSeconds, ms) => {
    expect(computeWallLimitMs(taking(seconds), { maxJobSeconds })).toBe(ms);
  });

  it('is at least 4 times the estimate, and halved for a retry, but not below 20 s', () => {
    for (const seconds of [0.1, 1, 10, 12, 15, 29, 31, 100])
      expect(computeWallLimitMs(taking(seconds), { maxJobSeconds: 3_600 })).toBeGreaterThanOrEqual(4_000 * seconds);
    const lowered = (seconds: number) => computeWallLimitMs(taking(seconds), { maxJobSeconds: 3_600, isLowered: true });
    expect([0.1, 20, 100].map(lowered)).toEqual([20_000, 60_000, 200_000]);
  });

  it('is doubled for a run that was too slow before, up to the cap', () => {
    const raised = (seconds: number) => computeWallLimitMs(taking(seconds), { maxJobSeconds: 600, isRaised: true });
    expect([0.1, 20, 100].map(raised)).toEqual([41_600, 240_000, 600_000]);
  });
});

describe('computeMemoryLimitBytes', () => {
  const MB = 1024 * 1024;
  const idleBytes = 200 * MB;

  it('leaves a small image 300 MB over the idle child, and half of it for a retry', () => {
    const small = accepted({ engine: 'standard' }, { width: 73, height: 31, format: 'png' });
    expect(computeMemoryLimitBytes(small, { idleBytes })).toBe(500 * MB);
    expect(computeMemoryLimitBytes(small, { idleBytes, isLowered: true })).toBe(350 * MB);
  });

  it('follows the estimate up to the limit of a child', () => {
    const whole = accepted({ scaleFactor: 1 }, { width: 7_000, height: 7_000, format: 'webp', decodesWhole: true });
    expect(computeMemoryLimitBytes(whole, { idleBytes })).toBeGreaterThan(whole.estimate.peakMemoryBytes);
    expect(computeMemoryLimitBytes(whole, { idleBytes: 1_400 * MB })).toBe(1_500 * MB);
  });
});
