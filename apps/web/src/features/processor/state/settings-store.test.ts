import { parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import { describe, expect, it } from 'vitest';
import {
  emptyTarget,
  fitSettings,
  recipeFields,
  recipeOf,
  type Settings,
  targetFields,
  targetWays,
} from './settings-store.ts';

const settings: Settings = {
  scaleFactor: 2,
  engine: 'auto',
  format: 'webp',
  quality: 80,
  metadata: 'none',
  gps: false,
  retention: 24,
};
const sent = (changed: Partial<Settings>) => {
  const recipe = recipeOf({ ...settings, ...changed });
  if (!recipe) throw new Error('not complete');
  return parseRecipe(Object.entries(recipeFields(recipe)).map(([name, value]) => [name, String(value)]));
};

describe('recipeOf', () => {
  it('returns fields that the server parses to the same recipe', () => {
    expect(sent({})).toMatchObject({ scaleFactor: 2, format: 'webp', quality: 80, engine: 'auto', metadata: 'none' });
    expect(sent({ metadata: 'all', gps: true, retention: 1 })).toMatchObject({ gps: true, retention: 1 });
    expect(sent({ format: 'png' })).toMatchObject({ format: 'png' });
  });

  it('contains either a factor or an exact size', () => {
    expect(sent({ target: { by: 'box', width: 800, fit: 'inside' } })).toMatchObject({ width: 800, fit: 'inside' });
    expect(sent({ target: { by: 'box', width: 800, height: 600, fit: 'cover' } })).toMatchObject({ fit: 'cover' });
    expect(sent({ target: { by: 'shortSide', pixels: 2160 } })).toMatchObject({ shortSide: 2160 });
    expect(sent({ target: { by: 'megapixels', megapixels: 1.5 } })).toMatchObject({ megapixels: 1.5 });
    expect(sent({ target: { by: 'longSide', pixels: 10 } }).scaleFactor).toBeUndefined();
  });

  it('returns undefined for an incomplete size, and does not crop a box with one side', () => {
    for (const by of targetWays) expect(recipeOf({ ...settings, target: emptyTarget(by) })).toBeUndefined();
    expect(targetFields({ by: 'box', width: 5, fit: 'cover' })).toEqual({ width: 5, fit: 'fit' });
  });
});

describe('fitSettings', () => {
  it('limits settings to the plan', () => {
    const large: Settings = { ...settings, scaleFactor: 8, format: 'avif', gps: true };
    expect(fitSettings(large, { tier: 'free', signedIn: true })).toMatchObject({
      scaleFactor: 4,
      format: 'png',
      gps: false,
    });
    expect(fitSettings({ ...large, engine: 'standard' }, { tier: 'free', signedIn: true }).scaleFactor).toBe(8);
    expect(fitSettings({ ...large, engine: 'standard' }, { tier: 'free', signedIn: false }).scaleFactor).toBe(4);
    expect(fitSettings(large, { tier: 'pro', signedIn: true })).toMatchObject({ scaleFactor: 8, format: 'avif' });
  });
});
