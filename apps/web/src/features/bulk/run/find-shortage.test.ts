import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { expect, it } from 'vitest';
import { meterFor, usableSettings } from '../state/bulk-settings.ts';
import { findShortage } from './find-shortage.ts';

const resetsAt = '2026-12-01T00:00:00.000Z';
const quota = (meter: Dashboard['quota'][number]['meter'], left: number) => ({
  ...{ meter, left, resetsAt, included: 100, granted: 0, used: 100 - left },
});
const settings = { scaleFactor: 2, format: 'png', quality: 95, engine: 'auto' } as const;

it('says what is needed and what there is, on the meter that pays', () => {
  const dashboard = { quota: [quota('ai', 62), quota('standard', 500)] };
  expect(findShortage(dashboard, { needs: 80, meter: 'ai', tier: 'pro' })).toEqual({ needs: 80, have: 62, resetsAt });
  expect(findShortage(dashboard, { needs: 80, meter: 'standard', tier: 'pro' })).toBeUndefined();
  const shared = { quota: [quota('shared', 3)] };
  expect(findShortage(shared, { needs: 4, meter: 'ai', tier: 'api_basic' })).toMatchObject({ have: 3 });
});

it('says nothing before it is known, or where the plan does not stop', () => {
  expect(findShortage(undefined, { needs: 80, meter: 'ai', tier: 'pro' })).toBeUndefined();
  expect(findShortage({ quota: [quota('shared', 0)] }, { needs: 4, meter: 'ai', tier: 'enterprise' })).toBeUndefined();
});

it('guesses the meter from engine and factor', () => {
  expect(meterFor(settings)).toBe('ai');
  expect(meterFor({ ...settings, scaleFactor: 1 })).toBe('standard');
  expect(meterFor({ ...settings, engine: 'standard' })).toBe('standard');
});

it('takes remembered settings back to what the plan has', () => {
  const wishes = { ...settings, scaleFactor: 8, format: 'avif' } as const;
  expect(usableSettings(wishes, 'free')).toMatchObject({ scaleFactor: 4, format: 'png' });
  expect(usableSettings({ ...wishes, engine: 'standard' }, 'free')).toMatchObject({ scaleFactor: 8 });
  expect(usableSettings(wishes, 'pro')).toEqual(wishes);
});
