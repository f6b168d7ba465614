import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import { expect, it } from 'vitest';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import type { Row } from './row.ts';
import { findLosses, findRepeats, formatOfRow, isLargerFile, repairOf, sumSavings } from './row-format.ts';

const settings: RecipeSettings = { scaleFactor: 1, format: 'auto', quality: 95, engine: 'auto' };
const plain = { hasAlpha: false, isPalette: false, bitDepth: 8 };
const imageSize = { width: 20, height: 10 };
const rowOf = (id: string, row: Partial<Row>) => ({ id, size: 1_000, status: 'pending', imageSize, ...row }) as Row;
const photo = rowOf('photo', { facts: { traits: { ...plain, format: 'heic' } } });
const flag = rowOf('flag', { facts: { traits: { ...plain, format: 'gif', isPalette: true }, frames: 3 } });
const logo = rowOf('logo', { facts: { traits: { ...plain, format: 'png', hasAlpha: true }, isTransparent: true } });
const opaque = rowOf('opaque', {
  facts: { traits: { ...plain, format: 'png', hasAlpha: true }, isTransparent: false },
});
const unread = rowOf('unread', {});
const all = [photo, flag, logo, opaque, unread];

it('gives each image of a list its own format, unless one was chosen', () => {
  expect(all.map((row) => formatOfRow(row, settings))).toEqual(['jpeg', 'webp', 'webp', 'webp', undefined]);
  expect(all.map((row) => formatOfRow(row, { ...settings, format: 'png' }))).toEqual(all.map(() => 'png'));
});

it('finds what chosen formats would lose', () => {
  expect(findLosses(all, () => settings)).toEqual({ transparency: [], frames: [] });
  expect(findLosses(all, () => ({ ...settings, format: 'jpeg' }))).toEqual({ transparency: [logo], frames: [flag] });
  expect(findLosses(all, () => ({ ...settings, format: 'png' }))).toEqual({ transparency: [], frames: [flag] });
});

it('finds files that repeat an earlier one with the same options', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((id) => rowOf(id, { digest: '00' })) as [Row, Row, Row];
  const settingsOf = (row: Row) => (row === third ? { ...settings, quality: 50 } : settings);
  expect([...findRepeats([photo, first, unread, second, third], settingsOf)]).toEqual([['b', first]]);
});

it('sums the bytes that results save, and repairs larger ones', () => {
  const done = (fileSize: number, width = 20) =>
    ({ status: 'completed', result: { width, height: 10, fileSize } }) as const;
  const small = rowOf('small', done(400));
  const large = rowOf('large', { ...done(1_100), format: 'jpeg' });
  const upscaled = rowOf('upscaled', done(9_000, 40));
  expect(sumSavings([small, large, upscaled, photo])).toEqual({ bytes: 2_000, saved: 500 });
  expect([small, large, upscaled, photo].map(isLargerFile)).toEqual([false, true, false, false]);
  expect(repairOf({ ...large, size: 5_000 })).toEqual({ targetBytes: 5_000 });
  expect(repairOf({ ...large, size: 5_000, format: 'png' })).toEqual({ targetBytes: 5_000, format: 'webp' });
  const recipe = { ...recipeDefaults, neverLarger: false };
  expect(repairOf(large, recipe)).toEqual({ neverLarger: true, format: 'auto' });
  expect(repairOf({ ...large, ...done(1_100, 10) }, recipe)).toEqual({ targetBytes: 1_024 });
});
