import { expect, it } from 'vitest';
import { makesFactor, settingsOfJob } from './recipe-settings.ts';

it('returns the settings of a job with a scale factor that the slider has', () => {
  const job = {
    ...({ scaleFactor: 3, format: 'webp', quality: 80, engine: 'photo' } as const),
    ...({ detail: 'crisp', strength: 40, edges: 'wrap', alpha: 'data' } as const),
  };
  expect(settingsOfJob(job)).toEqual(job);
  for (const [scaleFactor, shown] of [
    [0.4, 1],
    [2.66, 3],
    [64, 8],
  ] as const)
    expect(settingsOfJob({ ...job, scaleFactor }).scaleFactor).toBe(shown);
});

it('offers nearest for whole factors only', () => {
  expect([1, 2, 8].every((factor) => makesFactor('nearest', factor))).toBe(true);
  expect([0.5, 1.5, 2.01].some((factor) => makesFactor('nearest', factor))).toBe(false);
  expect(makesFactor('standard', 1.5)).toBe(true);
});
