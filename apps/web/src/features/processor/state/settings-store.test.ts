import type { Plan } from '@uprez/contracts/policy/plans/plan-versions';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { describe, expect, it, vi } from 'vitest';
import type { SourceImage } from './image.ts';
import { fitSettings, isAccepted, recipeOf, type Settings, settingsOfRecipe, toFormFields } from './settings-store.ts';
import { makeTarget, targetWays, toTargetFields } from './target-size.ts';

vi.stubGlobal('navigator', { language: 'en-US' });
const settings: Settings = {
  scaleFactor: 2,
  engine: 'auto',
  format: 'webp',
  quality: 80,
  metadata: 'none',
  gps: false,
  keepDpi: true,
  retention: 24,
  background: '#ffffff',
  detail: 'faithful',
  strength: 100,
  grain: 0,
  edges: 'clamp',
  alpha: 'transparency',
  neverLarger: true,
};
const image = { source: new File([], 'scan.png', { type: 'image/png' }), url: '' };
const photo = { source: new File([], 'harbor.jpg', { type: 'image/jpeg' }), url: '' };
const sent = (changed: Partial<Settings>) => {
  const recipe = recipeOf({ ...settings, ...changed }, image);
  if (!recipe) throw new Error('not complete');
  return parseRecipe(Object.entries(toFormFields(recipe)).map(([name, value]) => [name, String(value)]));
};

describe('recipeOf', () => {
  it('returns fields that the server parses to the same recipe', () => {
    expect(sent({})).toMatchObject({ scaleFactor: 2, format: 'webp', quality: 80, engine: 'auto', metadata: 'none' });
    expect(sent({ metadata: 'all', gps: true, retention: 1 })).toMatchObject({ gps: true, retention: 1 });
    expect(sent({ metadata: 'all', keepDpi: false })).toMatchObject({ keepDpi: false });
    const print = { by: 'print', unit: 'cm', dpi: 240, width: 10, fit: 'fit' } as const;
    expect(sent({ target: print })).toMatchObject({ dpi: 240, width: 945 });
    expect(sent({ target: { by: 'longSide', pixels: 900 } })).not.toHaveProperty('dpi');
    expect(sent({ format: 'png' })).toMatchObject({ format: 'png' });
  });

  it('contains whether a larger file may be made only where the user allowed it', () => {
    expect(sent({}).neverLarger).toBe(true);
    expect(sent({ neverLarger: false }).neverLarger).toBe(false);
  });

  it('contains the background color and the file size only where they have an effect', () => {
    const changed = { background: '#0000ff', targetBytes: 50_000 };
    const known = {
      ...photo,
      size: { width: 30, height: 20 },
      traits: { format: 'jpeg' as const, hasAlpha: false, isPalette: false, bitDepth: 8 },
    };
    expect(sent({ ...changed, format: 'jpeg' })).toMatchObject(changed);
    expect(sent({ ...changed, format: 'webp' })).toMatchObject({ background: '#ffffff', targetBytes: 50_000 });
    expect(sent({ ...changed, format: 'png' }).targetBytes).toBeUndefined();
    expect(recipeOf({ ...settings, ...changed, format: 'auto' }, known)).toMatchObject({ targetBytes: 50_000 });
  });

  it('contains no file size where the result is lossless', () => {
    const traits = { format: 'png', hasAlpha: true, isPalette: false, bitDepth: 8 } as const;
    const bytesOf = (changed: Partial<Settings>, hasAlpha = true) =>
      recipeOf({ ...settings, targetBytes: 50_000, ...changed }, { ...image, traits: { ...traits, hasAlpha } })
        ?.targetBytes;
    expect(bytesOf({})).toBe(50_000);
    expect(bytesOf({ engine: 'nearest' })).toBeUndefined();
    expect(bytesOf({ alpha: 'data' })).toBeUndefined();
    expect(bytesOf({ alpha: 'data' }, false)).toBe(50_000);
  });

  it('contains the strength only below 100, and only with AI', () => {
    expect(sent({}).strength).toBeUndefined();
    expect(sent({ strength: 0 }).strength).toBe(0);
    for (const engine of ['standard', 'nearest'] as const)
      expect(sent({ strength: 40, engine }).strength).toBeUndefined();
  });

  it('contains film grain only where some was chosen', () => {
    expect(sent({}).grain).toBeUndefined();
    expect(sent({ grain: 0 }).grain).toBeUndefined();
    expect(sent({ grain: 30 }).grain).toBe(30);
  });

  it('contains edges and alpha only where they differ from the default', () => {
    expect(sent({})).not.toHaveProperty('edges');
    expect(sent({})).not.toHaveProperty('alpha');
    expect(sent({ edges: 'wrap', alpha: 'data' })).toMatchObject({ edges: 'wrap', alpha: 'data' });
  });

  it('contains neither film grain nor edges with nearest, which only repeats pixels', () => {
    const recipe = sent({ engine: 'nearest', grain: 30, edges: 'wrap', alpha: 'data' });
    expect(recipe).toMatchObject({ engine: 'nearest', alpha: 'data' });
    expect(recipe).not.toHaveProperty('grain');
    expect(recipe).not.toHaveProperty('edges');
  });

  it('contains the crisp look only where the image is upscaled with AI by less than 4', () => {
    const known: SourceImage = { ...photo, size: { width: 300, height: 200 } };
    const detailOf = (changed: Partial<Settings>, source = known) =>
      recipeOf({ ...settings, detail: 'crisp', ...changed }, source)?.detail;
    expect(sent({ detail: 'crisp' }).detail).toBe('crisp');
    expect(sent({ detail: 'faithful' }).detail).toBeUndefined();
    for (const changed of [
      ...[{ scaleFactor: 4 }, { scaleFactor: 1 }, { engine: 'standard' as const }],
      ...[{ edges: 'wrap' as const }, { alpha: 'data' as const }],
    ])
      expect(sent({ detail: 'crisp', ...changed }).detail).toBeUndefined();
    expect(detailOf({ target: { by: 'longSide', pixels: 900 } })).toBe('crisp');
    expect(detailOf({ target: { by: 'longSide', pixels: 1_200 } })).toBeUndefined();
    expect(sent({ detail: 'crisp', target: { by: 'longSide', pixels: 900 } }).detail).toBeUndefined();
    const traits = { format: 'jpeg', hasAlpha: false, isPalette: false, bitDepth: 8 } as const;
    expect(detailOf({ alpha: 'data' }, { ...known, traits })).toBe('crisp');
    expect(detailOf({}, { ...known, frames: 3 })).toBeUndefined();
    expect(detailOf({}, { ...photo, size: { width: 8_000, height: 5_000 } })).toBeUndefined();
  });

  it('contains either a factor or an exact size', () => {
    expect(sent({ target: { by: 'box', width: 800, fit: 'inside' } })).toMatchObject({ width: 800, fit: 'inside' });
    expect(sent({ target: { by: 'box', width: 800, height: 600, fit: 'cover' } })).toMatchObject({ fit: 'cover' });
    expect(sent({ target: { by: 'shortSide', pixels: 2160 } })).toMatchObject({ shortSide: 2160 });
    expect(sent({ target: { by: 'megapixels', megapixels: 1.5 } })).toMatchObject({ megapixels: 1.5 });
    expect(sent({ target: { by: 'longSide', pixels: 10 } }).scaleFactor).toBeUndefined();
  });

  it('returns undefined for an incomplete size, and does not crop a box with one side', () => {
    for (const by of targetWays)
      expect(recipeOf({ ...settings, target: makeTarget(by, undefined) }, image)).toBeUndefined();
    expect(toTargetFields({ by: 'box', width: 5, fit: 'cover' })).toEqual({ width: 5, fit: 'fit' });
  });
});

describe('fitSettings', () => {
  it('limits settings to the plan', () => {
    const large: Settings = { ...settings, scaleFactor: 8, format: 'avif', gps: true };
    expect(fitSettings(large, { ownPlan: currentPlans.free, signedIn: true, engines: undefined })).toMatchObject({
      scaleFactor: 4,
      format: 'auto',
      gps: false,
    });
    expect(
      fitSettings({ ...large, engine: 'standard' }, { ownPlan: currentPlans.free, signedIn: true, engines: undefined })
        .scaleFactor,
    ).toBe(8);
    expect(
      fitSettings({ ...large, engine: 'standard' }, { ownPlan: currentPlans.free, signedIn: false, engines: undefined })
        .scaleFactor,
    ).toBe(4);
    expect(fitSettings(large, { ownPlan: currentPlans.pro, signedIn: true, engines: undefined })).toMatchObject({
      scaleFactor: 8,
      format: 'avif',
    });
  });
});

it('accepts only settings that the server accepts for an image', () => {
  const traits = { format: 'png', hasAlpha: true, isPalette: false, bitDepth: 8 } as const;
  const known = { ...image, size: { width: 300, height: 200 }, traits };
  const accepts = (changed: Partial<Settings>, ownPlan: Plan = currentPlans.pro) =>
    isAccepted({ ...settings, ...changed }, known, { ownPlan, engines: undefined });
  expect(accepts({})).toBe(true);
  expect(accepts({ alpha: 'data', format: 'tiff' })).toBe(true);
  for (const format of ['jpeg', 'avif', 'gif'] as const) expect(accepts({ alpha: 'data', format })).toBe(false);
  expect(accepts({ engine: 'nearest', scaleFactor: 3 })).toBe(true);
  expect(accepts({ engine: 'nearest', scaleFactor: 1.5 })).toBe(false);
  expect(accepts({ scaleFactor: 8 })).toBe(true);
  expect(accepts({ scaleFactor: 8 }, currentPlans.free)).toBe(false);
  expect(accepts({ format: 'avif' }, currentPlans.free)).toBe(false);
});

it('returns settings that repeat a recipe', () => {
  const known: SourceImage = { ...image, size: { width: 300, height: 200 } };
  const base: Recipe = { ...recipeDefaults, format: 'webp', engine: 'photo' };
  const print = (unit: 'cm' | 'in', width: number) =>
    recipeOf({ ...settings, target: { by: 'print', unit, dpi: 300, width, height: 7.13, fit: 'cover' } }, known);
  const recipes: (Recipe | undefined)[] = [
    { ...base, scaleFactor: 2.66, detail: 'crisp' },
    { ...base, scaleFactor: 0.4, strength: 40, grain: 30, edges: 'wrap', alpha: 'data', format: 'auto' },
    { ...base, scaleFactor: 64, quality: 50, targetBytes: 50_001, neverLarger: false },
    { ...base, longSide: 900, metadata: 'all', gps: true, keepDpi: false, retention: 2.5 },
    { ...base, shortSide: 900, background: '#0000ff' },
    { ...base, megapixels: 1.5, metadata: 'copyright' },
    { ...base, width: 800, fit: 'inside' },
    { ...base, width: 800, height: 800, fit: 'cover' },
    ...[print('cm', 10.37), print('in', 3.33)],
  ];
  for (const recipe of recipes) {
    if (!recipe) throw new Error('not complete');
    expect(recipeOf(settingsOfRecipe(recipe), known)).toEqual(recipe);
  }
  const { neverLarger: _, ...older } = base;
  expect(settingsOfRecipe({ ...older, scaleFactor: 2, retention: 0 })).toMatchObject({
    neverLarger: false,
    retention: 1,
  });
});
