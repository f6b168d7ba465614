import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { parseMask } from '@uprez/contracts/recipe/mask';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { sizeFields } from '@uprez/contracts/recipe/recipe-choices';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { describe, expect, it } from 'vitest';
import { computeStallLimitMs } from './estimate.ts';
import { makePipeline } from './make-pipeline.ts';

const image: Inspection = {
  ...{ format: 'png', width: 130, height: 90, orientation: 1, channels: 4, space: 'rgb', frames: 1 },
  ...{ isPalette: false, bitDepth: 8, hasAlpha: true, hasProfile: false, decodesWhole: false },
};
const limits = { maxOutputPixels: 512_000_000, maxJobSeconds: 100_000, autoEngine: 'photo-fast' } as const;
type More = Partial<typeof limits> & { plan?: typeof currentPlans.free; printProfiles?: string[] };
const make = (recipe: Partial<Recipe>, more: More = {}, inspection = image) =>
  makePipeline({
    recipe: { ...recipeDefaults, ...(sizeFields.some((name) => recipe[name]) ? {} : { scaleFactor: 2 }), ...recipe },
    inspection,
    limits: { ...limits, ...more },
  });

describe('nearest', () => {
  it.each([
    [{ scaleFactor: 1.5 }, 'scaleFactor'],
    [{ scaleFactor: 0.5 }, 'scaleFactor'],
    [{ width: 300 }, 'width'],
    [{ height: 181 }, 'height'],
    [{ longSide: 131 }, 'longSide'],
    [{ megapixels: 1 }, 'megapixels'],
    [{ width: 400, height: 400, fit: 'cover' }, 'width'],
  ] as const)('rejects %o, because the result is not a whole multiple', (size, param) => {
    expect(make({ engine: 'nearest', ...size })).toMatchObject({
      ok: false,
      rejection: { code: 'invalid_parameter', param, allowed: 'a whole multiple of the size of the image' },
    });
  });

  it.each([
    [{ scaleFactor: 1 }, 130],
    [{ scaleFactor: 7 }, 910],
    [{ width: 260 }, 260],
    [{ shortSide: 270 }, 390],
    [{ width: 260, height: 180, fit: 'cover' }, 260],
  ] as const)('accepts %o', (size, width) => {
    const made = make({ engine: 'nearest', format: 'webp', ...size });
    expect(made).toMatchObject({ ok: true, pipeline: { engine: 'nearest', passes: 0, shrinks: false } });
    expect(made).toMatchObject({ pipeline: { output: { width, lossless: true } } });
  });

  it('rejects film grain', () => {
    const rejection = { code: 'conflicting_params', param: 'grain' };
    expect(make({ engine: 'nearest', grain: 5 })).toMatchObject({ ok: false, rejection });
    expect(make({ engine: 'nearest', grain: 0 }).ok).toBe(true);
  });

  it('has the scale factors of the standard engine, and suggests a whole one', () => {
    expect(make({ engine: 'nearest', scaleFactor: 9 }, { plan: currentPlans.free })).toMatchObject({
      ok: false,
      rejection: { code: 'plan_feature', meta: { maxFactor: 8 } },
    });
    expect(make({ engine: 'nearest', scaleFactor: 60 }, { maxOutputPixels: 1_000_000 as 512_000_000 })).toMatchObject({
      ok: false,
      rejection: { code: 'output_too_large', meta: { maxFactor: 9 } },
    });
  });
});

describe('edges', () => {
  it('rejects a crop of a texture that wraps', () => {
    const rejection = { code: 'conflicting_params', param: 'edges' };
    const box = { fit: 'cover', width: 100, height: 100 } as const;
    expect(make({ edges: 'wrap', ...box })).toMatchObject({ ok: false, rejection });
    expect(make({ edges: 'clamp', ...box }).ok).toBe(true);
    expect(make({ edges: 'wrap', ...box, height: 69, width: 100, fit: 'fit' }).ok).toBe(true);
  });

  it('counts the margin in the tiles and in the time', () => {
    const [wrapped, clamped] = [make({ edges: 'wrap' }), make({})];
    if (!wrapped.ok || !clamped.ok) throw new Error('rejected');
    expect(wrapped.pipeline.output.edges).toBe('wrap');
    expect(clamped.pipeline.output).not.toHaveProperty('edges');
    expect(wrapped.pipeline.estimate.seconds).toBeGreaterThan(clamped.pipeline.estimate.seconds);
  });
});

describe('alpha', () => {
  it.each(['jpeg', 'gif', 'avif'] as const)('rejects data in the alpha channel of %s', (format) => {
    expect(make({ alpha: 'data', format })).toMatchObject({
      ok: false,
      rejection: { code: 'conflicting_params', param: 'format', allowed: ['png', 'tiff', 'webp', 'jxl'] },
    });
    expect(make({ alpha: 'transparency', format }).ok).toBe(true);
  });

  it.each([
    ['png', undefined],
    ['webp', true],
    ['jxl', true],
    ['auto', true],
  ] as const)('makes %s without losses', (format, lossless) => {
    const made = make({ alpha: 'data', format, quality: 80 });
    if (!made.ok) throw new Error(made.rejection.detail);
    expect(made.pipeline.output.alpha).toBe('data');
    expect(made.pipeline.output.lossless).toBe(lossless);
  });
});

describe('strength', () => {
  it.each(['standard', 'nearest'] as const)('is rejected with %s', (engine) => {
    const rejection = { code: 'conflicting_params', param: 'strength', allowed: '100' };
    expect(make({ engine, strength: 40 })).toMatchObject({ ok: false, rejection });
    expect(make({ engine, strength: 100 }).ok).toBe(true);
  });

  it('becomes part of the pipeline below 100', () => {
    expect(make({ strength: 0 })).toMatchObject({ ok: true, pipeline: { output: { strength: 0 } } });
    for (const strength of [undefined, 100]) expect(make({ strength })).not.toHaveProperty('pipeline.output.strength');
  });
});

describe('crisp', () => {
  const crisp = { detail: 'crisp', format: 'png' } as const;

  it.each([{ edges: 'wrap' }, { alpha: 'data' }] as const)("rejects %o, which doesn't allow parts", (option) => {
    const rejection = { code: 'conflicting_params', param: 'detail', allowed: ['faithful'] };
    expect(make({ ...crisp, ...option })).toMatchObject({ ok: false, rejection });
    expect(make({ ...crisp, ...option, detail: 'faithful' }).ok).toBe(true);
    expect(make(crisp).ok).toBe(true);
  });
});

describe('lossless WebP', () => {
  const plan = (recipe: Partial<Recipe>, source: Partial<Inspection> = {}) => {
    const made = make({ scaleFactor: 1, format: 'auto', ...recipe }, {}, { ...image, ...source });
    if (!made.ok) throw new Error(made.rejection.detail);
    return made.pipeline;
  };
  const exact = [{ alpha: 'data' }, { engine: 'nearest' }] as const;

  it.each(exact)('is chosen by auto for %o only up to 16 megapixels and 8 bits', (option) => {
    const size = { width: 5_000, height: 4_000 };
    expect(plan(option).output.format).toBe('webp');
    expect(plan(option, size).output.format).toBe('png');
    expect(plan(option, { bitDepth: 16 }).output).toMatchObject({ format: 'png', bitDepth: 16 });
    expect(plan({}, { ...size, bitDepth: 16 }).output.format).toBe('webp');
  });

  it.each(exact)('takes more memory and time than lossy WebP, with %o', (option) => {
    const size = { width: 5_000, height: 4_000 };
    const [lossy, lossless] = [plan({ format: 'webp' }, size), plan({ format: 'webp', ...option }, size)];
    expect(lossless.estimate.peakMemoryBytes - lossy.estimate.peakMemoryBytes).toBeGreaterThan(30 * 20e6);
    expect(lossless.estimate.seconds - lossy.estimate.seconds).toBeGreaterThan(10);
    // The encoder reports no progress, also after the tiles of a network.
    expect(computeStallLimitMs({ ...lossless, tiles: 500 })).toBeGreaterThan(120_000);
    const large = make({ scaleFactor: 1, format: 'webp', ...option }, {}, { ...image, width: 8_192, height: 8_192 });
    expect(large).toMatchObject({ ok: false, rejection: { code: 'output_too_large' } });
  });
});

describe('a mask', () => {
  /** The header of a PNG. */
  const maskOf = ({ width, height }: { width: number; height: number }) => {
    const file = Buffer.alloc(33);
    file.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]);
    file.writeUInt32BE(width, 16);
    file.writeUInt32BE(height, 20);
    return parseMask(file);
  };
  const mask = maskOf(image);

  it('is accepted with an AI engine, and adds to the time of resampling', () => {
    const made = make({ engine: 'photo-fast', mask });
    const plain = make({ engine: 'photo-fast' });
    if (!made.ok || !plain.ok) throw new Error('The pipeline was rejected.');
    expect(made.pipeline.output.mask).toBe(true);
    expect(plain.pipeline.output).not.toHaveProperty('mask');
    expect(made.pipeline.estimate.seconds).toBeGreaterThan(plain.pipeline.estimate.seconds);
    expect(make({ engine: 'auto', scaleFactor: 0.5, mask }).ok).toBe(true);
  });

  it.each(['standard', 'nearest'] as const)('is rejected with %s', (engine) => {
    expect(make({ engine, mask })).toMatchObject({
      ok: false,
      rejection: { code: 'conflicting_params', param: 'mask' },
    });
  });

  it.each([
    [{ width: 65, height: 45 }, true],
    [{ width: 260, height: 180 }, false],
    [{ width: 90, height: 130 }, false],
    [{ width: 65, height: 50 }, false],
  ])('of %j is accepted: %s', (size, ok) => {
    const made = make({ engine: 'photo-fast', mask: maskOf(size) });
    expect(made.ok).toBe(ok);
    if (!made.ok) expect(made.rejection).toMatchObject({ code: 'invalid_parameter', param: 'mask' });
  });
});

describe('a CMYK profile', () => {
  it.each(['png', 'webp', 'avif', 'jxl', 'gif'] as const)('rejects %s', (format) => {
    const rejection = { code: 'conflicting_params', param: 'format', allowed: ['jpeg', 'tiff'] };
    expect(make({ printProfile: 'generic', format })).toMatchObject({ ok: false, rejection });
  });

  it('rejects alpha that is data', () => {
    const recipe = { printProfile: 'generic', format: 'tiff', alpha: 'data' } as const;
    expect(make(recipe)).toMatchObject({ ok: false, rejection: { code: 'conflicting_params', param: 'alpha' } });
    expect(make(recipe, {}, { ...image, channels: 3, hasAlpha: false }).ok).toBe(true);
  });

  it('rejects names that no worker has, and lists those that they have', () => {
    const recipe = { printProfile: 'press', format: 'jpeg' } as const;
    expect(make(recipe, { printProfiles: ['generic', 'coated'] })).toMatchObject({
      ok: false,
      rejection: { code: 'invalid_parameter', param: 'printProfile', allowed: ['generic', 'coated'] },
    });
    expect(make(recipe, { printProfiles: ['generic', 'press'] }).ok).toBe(true);
    expect(make(recipe).ok).toBe(true);
  });

  it.each([
    [{ width: 100, height: 100 }, 1, 'jpeg'],
    [{ width: 100, height: 20_000 }, 4, 'tiff'],
  ] as const)('makes an image of %o at a scale factor of %d a %s of 8 bits', (size, scaleFactor, format) => {
    const recipe = {
      printProfile: 'generic',
      format: 'auto',
      scaleFactor,
      engine: 'standard',
      neverLarger: true,
    } as const;
    const made = make(recipe, {}, { ...image, ...size, bitDepth: 16, format: 'jpeg' });
    expect(made).toMatchObject({ ok: true, pipeline: { output: { format, bitDepth: 8, printProfile: 'generic' } } });
    expect(made).not.toHaveProperty('pipeline.output.neverLarger');
    expect(make({}, {}, image)).not.toHaveProperty('pipeline.output.printProfile');
  });
});
