import { expect, it } from 'vitest';
import { getVisibleArea, mapColors, maxMapDifference, paintDifferences } from './measure-difference.ts';

const sizes = (width: number, height: number) => ({ width, height });

it.each([
  {
    title: 'all of an original whose result has rounded sides',
    ...{ original: sizes(1_200, 900), result: sizes(555, 416), shown: { left: 0, top: 0, ...sizes(1_200, 900) } },
  },
  {
    title: 'the center of an original that was cropped',
    ...{ original: sizes(300, 100), result: sizes(400, 400), shown: { left: 100, top: 0, ...sizes(100, 100) } },
  },
])('finds $title', ({ original, result, shown }) => {
  expect(getVisibleArea(original, result)).toEqual(shown);
});

it('paints areas from the first color to the last one by their difference', () => {
  const pixels = paintDifferences([0, 1, 6, maxMapDifference, 50]);
  const colors = [0, 1, 2, 3, 4].map((i) => [...pixels.subarray(4 * i, 4 * i + 3)]);
  expect(colors[0]).toEqual(mapColors[0]);
  expect(colors[2]).toEqual(mapColors[3]);
  expect(colors[3]).toEqual(mapColors.at(-1));
  expect(colors[4]).toEqual(colors[3]);
  const brightness = colors.slice(0, 4).map(([red = 0, green = 0, blue = 0]) => red + green + blue);
  expect(brightness).toEqual(brightness.toSorted((a, b) => a - b));
  expect(new Set(brightness).size).toBe(4);
  expect([3, 7, 11, 15, 19].map((at) => pixels[at])).toEqual(Array(5).fill(255));
});
