import { expect, it } from 'vitest';
import { makeCellDifferences } from './cell-differences.ts';

const size = { width: 4, height: 2 };
const rgba = (...grays: number[]) => Uint8ClampedArray.from(grays.flatMap((gray) => [gray, gray, gray, 255]));
const compare = (before: number[], after: number[], columns: number) => {
  const cells = makeCellDifferences(size, { columns, rows: 1 });
  // Rows come in slices.
  cells.add(rgba(...before.slice(0, 4)), rgba(...after.slice(0, 4)), 0);
  cells.add(rgba(...before.slice(4)), rgba(...after.slice(4)), 1);
  return cells.finish();
};

it('is 0 for equal images, and for noise that has the same mean color', () => {
  const gray = [80, 80, 160, 160, 80, 80, 160, 160];
  expect(compare(gray, gray, 2)).toEqual({ mean: 0, worst: 0 });
  expect(compare([80, 160, 80, 160, 80, 160, 80, 160], [160, 80, 160, 80, 160, 80, 160, 80], 2).worst).toBeCloseTo(0);
});

it('is the mean and the largest difference of the cells', () => {
  const { mean, worst } = compare(Array(8).fill(120), [120, 120, 140, 140, 120, 120, 140, 140], 2);
  expect(worst).toBeGreaterThan(5);
  expect(mean).toBeCloseTo(worst / 2);
});
