import { expect, it } from 'vitest';
import { zoomAroundCenter, zoomToPoint } from './zoom.tsx';

const box = { width: 800, height: 600 };
const all = { scale: 1, positionX: 0, positionY: 0 };

it('zooms to the exact scale around the center', () => {
  const view = zoomAroundCenter(all, 1 / 0.37, box);
  expect(view.scale).toBe(1 / 0.37);
  expect(view.positionX + 400 * view.scale).toBeCloseTo(400);
  expect(view.positionY + 300 * view.scale).toBeCloseTo(300);
  expect(zoomAroundCenter(view, 1, box)).toEqual(all);
});

it('keeps the center in place as far as the edges allow', () => {
  const corner = { scale: 4, positionX: 0, positionY: -1_800 };
  expect(zoomAroundCenter(corner, 8, box)).toEqual({ scale: 8, positionX: -400, positionY: -3_900 });
  expect(zoomAroundCenter(corner, 2, box)).toEqual({ scale: 2, positionX: 0, positionY: -600 });
});

it('centers an image that is smaller than the box', () =>
  expect(zoomAroundCenter({ scale: 2, positionX: -10, positionY: 0 }, 0.5, box)).toEqual({
    scale: 0.5,
    positionX: 200,
    positionY: 150,
  }));

it('shows a point in the center as far as the edges allow', () => {
  expect(zoomToPoint({ x: 500, y: 300 }, 4, box)).toEqual({ scale: 4, positionX: -1_600, positionY: -900 });
  expect(zoomToPoint({ x: 0, y: 600 }, 4, box)).toEqual({ scale: 4, positionX: 0, positionY: -1_800 });
});
