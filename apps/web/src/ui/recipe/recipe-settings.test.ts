import { requestedFormats } from '@uprez/contracts/policy/images/image-formats';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import type { Engine } from '@uprez/contracts/schemas/jobs/estimate';
import { expect, it } from 'vitest';
import { isLossless, limitSettings, resolveConflicts, supportsAlpha, supportsFactor } from './recipe-settings.ts';

it('offers nearest for whole factors only', () => {
  expect([1, 2, 8].every((factor) => supportsFactor('nearest', factor))).toBe(true);
  expect([0.5, 1.5, 2.01].some((factor) => supportsFactor('nearest', factor))).toBe(false);
  expect(supportsFactor('standard', 1.5)).toBe(true);
});

it('offers only formats that keep the colors of invisible pixels while alpha is data', () => {
  const offered = (alpha: 'transparency' | 'data') => requestedFormats.filter((format) => supportsAlpha(format, alpha));
  expect(offered('transparency')).toEqual(requestedFormats);
  expect(offered('data')).toEqual(['auto', 'png', 'webp', 'jxl', 'tiff']);
});

it('knows where quality has no effect', () => {
  expect(isLossless({ engine: 'auto' }, 'png')).toBe(true);
  expect(isLossless({ engine: 'auto' }, 'webp')).toBe(false);
  expect(isLossless({ engine: 'auto' }, undefined)).toBe(false);
  expect(isLossless({ engine: 'auto', alpha: 'data' }, 'webp')).toBe(true);
  expect(isLossless({ engine: 'nearest' }, 'jxl')).toBe(true);
  expect(isLossless({ engine: 'nearest' }, 'avif')).toBe(false);
  expect(isLossless({ engine: 'nearest' }, undefined)).toBe(true);
});

it('replaces a factor and a format that other settings rule out', () => {
  const chosen = { scaleFactor: 1.5, format: 'jpeg', quality: 80, engine: 'photo' } as const;
  expect(resolveConflicts(chosen)).toEqual(chosen);
  expect(resolveConflicts({ ...chosen, engine: 'nearest' })).toMatchObject({ scaleFactor: 2, format: 'jpeg' });
  expect(resolveConflicts({ ...chosen, scaleFactor: 0.4, engine: 'nearest' }).scaleFactor).toBe(1);
  expect(resolveConflicts({ ...chosen, alpha: 'data' })).toMatchObject({ scaleFactor: 1.5, format: 'auto' });
  expect(resolveConflicts({ ...chosen, alpha: 'data', format: 'webp' }).format).toBe('webp');
});

it('falls back to auto from a custom model that no worker has', () => {
  const stored = { scaleFactor: 2, format: 'png', quality: 80, engine: 'custom:mine' } as const;
  const limit = (engines: readonly Engine[] | undefined) =>
    limitSettings(stored, { ownPlan: currentPlans.pro, engines });
  const listed = (name: Engine['name']) => [{ name, available: true } as Engine];
  expect(limit(undefined).engine).toBe('custom:mine');
  expect(limit(listed('custom:mine')).engine).toBe('custom:mine');
  expect(limit(listed('photo')).engine).toBe('auto');
});
