import { expect, it } from 'vitest';
import { mapColors, paintDifferences } from './difference-map.ts';

const rgba = (...colors: (readonly number[])[]) => Uint8ClampedArray.from(colors.flatMap((color) => [...color, 255]));
const grey = [119, 119, 119] as const;

it('paints pixels from the first color to the last one by their difference', () => {
  const after = rgba(grey, [119, 119, 124], [119, 119, 139], [255, 0, 0]);
  paintDifferences(rgba(grey, grey, grey, grey), after);
  const colors = [0, 1, 2, 3].map((i) => [...after.subarray(4 * i, 4 * i + 3)]);
  expect(colors[0]).toEqual(mapColors[0]);
  expect(colors[3]).toEqual(mapColors.at(-1));
  const brightness = colors.map(([red = 0, green = 0, blue = 0]) => red + green + blue);
  expect(brightness).toEqual(brightness.toSorted((a, b) => a - b));
  expect(new Set(brightness).size).toBe(4);
  expect([3, 7, 11, 15].map((at) => after[at])).toEqual([255, 255, 255, 255]);
});

it('paints equal pixels of any color alike', () => {
  const after = rgba([40, 90, 200], grey);
  paintDifferences(rgba([40, 90, 200], grey), after);
  expect([...after]).toEqual([...(mapColors[0] ?? []), 255, ...(mapColors[0] ?? []), 255]);
});
