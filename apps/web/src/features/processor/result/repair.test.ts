import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { expect, it } from 'vitest';
import type { Settings } from '../state/settings-store.ts';
import { isLargerFile, repairSettingsOf } from './repair.ts';

const size = (width: number, fileSize: number) => ({ width, height: 100, fileSize });
const jobOf = (job: Partial<Job>) => ({ originalSize: size(100, 5_000), format: 'jpeg', ...job }) as Job;
const settings = { neverLarger: true, format: 'auto' } as Settings;

it.each([
  ['of the same size', size(100, 5_001), true],
  ['that is smaller in pixels', size(50, 5_001), true],
  ['that was upscaled', size(200, 9_000), false],
  ['that is no larger', size(100, 5_000), false],
  ['that is not there yet', null, false],
])('compares the bytes of a result %s', (_, processedSize, isLarger) => {
  expect(isLargerFile(jobOf({ processedSize }))).toBe(isLarger);
});

it('repairs a larger file with the image itself, or with a lower quality', () => {
  const same = jobOf({ processedSize: size(100, 9_000) });
  expect(repairSettingsOf(same, { ...settings, neverLarger: false })).toEqual({ neverLarger: true, format: 'auto' });
  expect(repairSettingsOf({ ...same, format: 'png' }, { ...settings, format: 'png' })).toEqual({ format: 'auto' });
  expect(repairSettingsOf(same, settings)).toEqual({ targetBytes: 5_000 });
  const smaller = jobOf({ processedSize: size(50, 9_000) });
  expect(repairSettingsOf(smaller, settings)).toEqual({ targetBytes: 5_000 });
  expect(repairSettingsOf({ ...smaller, format: 'png' }, settings)).toEqual({ targetBytes: 5_000, format: 'webp' });
});
