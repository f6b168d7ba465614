import { currentPlans } from '@uprez/contracts/policy/plans';
import { expect, it } from 'vitest';
import { limitSettings } from '../../../ui/recipe/recipe-settings.ts';
import { formatForRows, meterFor } from './bulk-settings.ts';
import type { Row } from './row.ts';

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

it('selects Auto for photos alone and for an empty list, unless the user chose a format', () => {
  const rowOf = (mediaType: string, status: Row['status'] = 'pending') => ({ mediaType, status }) as Row;
  const photos = [rowOf('image/jpeg'), rowOf('image/webp')];
  const stored = { ...settings, format: undefined };
  expect(formatForRows(stored, [])).toBe('auto');
  expect(formatForRows(settings, [])).toBe('png');
  expect(formatForRows(stored, photos)).toBe('auto');
  expect(formatForRows(stored, [...photos, rowOf('text/plain', 'rejected')])).toBe('auto');
  expect(formatForRows(stored, [...photos, rowOf('image/png')])).toBe('png');
  expect(formatForRows(settings, photos)).toBe('png');
});

it('limits persisted settings to the plan', () => {
  const chosen = { ...settings, scaleFactor: 8, format: 'avif' } as const;
  expect(limitSettings(chosen, { ownPlan: currentPlans.free })).toMatchObject({ scaleFactor: 4, format: 'png' });
  expect(limitSettings({ ...chosen, engine: 'standard' }, { ownPlan: currentPlans.free })).toMatchObject({
    scaleFactor: 8,
  });
  expect(limitSettings(chosen, { ownPlan: currentPlans.pro })).toEqual(chosen);
});
