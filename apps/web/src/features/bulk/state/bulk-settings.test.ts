import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { expect, it } from 'vitest';
import { limitSettings } from '../../../ui/recipe/recipe-settings.ts';
import { meterFor, rowSettingsOf } from './bulk-settings.ts';

const settings = { scaleFactor: 2, format: 'png', quality: 95, engine: 'auto' } as const;

it('derives the meter from engine, factor, and the size of the image', () => {
  const small = { imageSize: { width: 8_000, height: 4_999 } };
  const large = { imageSize: { width: 8_000, height: 5_000 } };
  expect(meterFor(settings, {})).toBe('ai');
  expect(meterFor(settings, small)).toBe('ai');
  expect(meterFor(settings, large)).toBe('standard');
  expect(meterFor({ ...settings, engine: 'photo' }, large)).toBe('ai');
  expect(meterFor({ ...settings, scaleFactor: 1 }, small)).toBe('standard');
  expect(meterFor({ ...settings, engine: 'standard' }, small)).toBe('standard');
});

it('leaves out film grain and edges with nearest, also if a row chooses it', () => {
  const textures = { ...settings, grain: 20, edges: 'wrap', alpha: 'data' } as const;
  expect(rowSettingsOf(textures, {})).toEqual(textures);
  const { grain: _, edges: _edges, ...rest } = textures;
  expect(rowSettingsOf({ ...textures, engine: 'nearest' }, {})).toEqual({ ...rest, engine: 'nearest' });
  expect(rowSettingsOf(textures, { options: { engine: 'nearest' } })).toEqual({ ...rest, engine: 'nearest' });
});

it('replaces what a row chose before the settings for all images ruled it out', () => {
  const options = { scaleFactor: 2.4, format: 'jpeg' } as const;
  expect(rowSettingsOf({ ...settings, engine: 'nearest' }, { options }).scaleFactor).toBe(2);
  expect(rowSettingsOf({ ...settings, alpha: 'data' }, { options })).toMatchObject({
    scaleFactor: 2.4,
    format: 'auto',
  });
});

it('limits persisted settings to the plan', () => {
  const chosen = { ...settings, scaleFactor: 8, format: 'avif' } as const;
  expect(limitSettings(chosen, { ownPlan: currentPlans.free })).toMatchObject({ scaleFactor: 4, format: 'auto' });
  expect(limitSettings({ ...chosen, engine: 'standard' }, { ownPlan: currentPlans.free })).toMatchObject({
    scaleFactor: 8,
  });
  expect(limitSettings(chosen, { ownPlan: currentPlans.pro })).toEqual(chosen);
});
