import { expect, it } from 'vitest';
import { fitInBox } from './zoom.tsx';

const box = { width: 800, height: 600 };

it.each([
  ['wide', { width: 1600, height: 400 }, { scale: 0.5, width: 800, height: 200, left: 0, top: 200 }],
  ['tall', { width: 300, height: 1200 }, { scale: 0.5, width: 150, height: 600, left: 325, top: 0 }],
  ['small', { width: 40, height: 30 }, { scale: 20, width: 800, height: 600, left: 0, top: 0 }],
])('fits a %s image', (_, size, place) => expect(fitInBox(size, box)).toEqual(place));

it('leaves a margin', () =>
  expect(fitInBox({ width: 1600, height: 400 }, box, 20)).toEqual({
    scale: 0.475,
    width: 760,
    height: 190,
    left: 20,
    top: 205,
  }));
