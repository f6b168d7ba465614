import { expect, it } from 'vitest';
import { findShownArea } from './measure-difference.ts';

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
  expect(findShownArea(original, result)).toEqual(shown);
});
