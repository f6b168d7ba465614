import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { expect, it } from 'vitest';
import { limitToPlan } from '../../../ui/recipe/recipe-settings.ts';
import { findShortage, meterFor } from './bulk-settings.ts';

const resetsAt = '2026-12-01T00:00:00.000Z';
const quota = (meter: Dashboard['quota'][number]['meter'], left: number) => ({
  ...{ meter, left, resetsAt, included: 100, granted: 0, used: 100 - left },
});
const settings = { scaleFactor: 2, format: 'png', quality: 95, engine: 'auto' } as const;

it('returns needed and available units of the paying meter', () => {
  const dashboard = { quota: [quota('ai', 62), quota('standard', 500)] };
  expect(findShortage(dashboard, { needs: 80, meter: 'ai', tier: 'pro' })).toEqual({ needs: 80, have: 62, resetsAt });
  expect(findShortage(dashboard, { needs: 80, meter: 'standard', tier: 'pro' })).toBeUndefined();
  const shared = { quota: [quota('shared', 3)] };
  expect(findShortage(shared, { needs: 4, meter: 'ai', tier: 'api_basic' })).toMatchObject({ have: 3 });
});

it('returns undefined before the quota is loaded, or on plans without a hard stop', () => {
  expect(findShortage(undefined, { needs: 80, meter: 'ai', tier: 'pro' })).toBeUndefined();
  expect(findShortage({ quota: [quota('shared', 0)] }, { needs: 4, meter: 'ai', tier: 'enterprise' })).toBeUndefined();
});

it('derives the meter from engine and factor', () => {
  expect(meterFor(settings)).toBe('ai');
  expect(meterFor({ ...settings, scaleFactor: 1 })).toBe('standard');
  expect(meterFor({ ...settings, engine: 'standard' })).toBe('standard');
});

it('limits persisted settings to the plan', () => {
  const chosen = { ...settings, scaleFactor: 8, format: 'avif' } as const;
  expect(limitToPlan(chosen, 'free')).toMatchObject({ scaleFactor: 4, format: 'png' });
  expect(limitToPlan({ ...chosen, engine: 'standard' }, 'free')).toMatchObject({ scaleFactor: 8 });
  expect(limitToPlan(chosen, 'pro')).toEqual(chosen);
});
