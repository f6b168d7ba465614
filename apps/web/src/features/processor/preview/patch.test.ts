import { expect, it } from 'vitest';
import { makePatchAround, movePoint } from './patch.ts';

const size = { width: 1_000, height: 600 };

it('is centered on its point', () => {
  expect(makePatchAround({ x: 500, y: 300 }, size)).toEqual({ left: 372, top: 172, width: 256, height: 256 });
});

it('stays inside the image', () => {
  expect(makePatchAround({ x: 2, y: 599 }, size)).toEqual({ left: 0, top: 344, width: 256, height: 256 });
  expect(makePatchAround({ x: 50, y: 20 }, { width: 90, height: 40 })).toEqual({
    left: 0,
    top: 0,
    width: 90,
    height: 40,
  });
});

it('moves with the arrow keys inside the image', () => {
  expect(movePoint({ x: 500, y: 300 }, 'ArrowLeft', size)).toEqual({ x: 372, y: 300 });
  expect(movePoint({ x: 500, y: 590 }, 'ArrowDown', size)).toEqual({ x: 500, y: 600 });
  expect(movePoint({ x: 500, y: 300 }, 'Tab', size)).toBeUndefined();
});
