import { describe, expect, it } from 'vitest';
import { fitInBox, zoomAfterResize, zoomAroundCenter, zoomToPoint } from './zoom.tsx';

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

describe('a resized box', () => {
  const size = { width: 6_048, height: 8_064 };
  const frameOf = (width: number, height: number) => {
    const box = { width, height };
    return { box, place: fitInBox(size, box, 12) };
  };
  const [wide, narrow] = [frameOf(790, 762), frameOf(326, 383)];
  /** The image pixel in the center, and the percentage. */
  const centerOf = ({ scale, positionX, positionY }: typeof all, { box: { width, height }, place }: typeof wide) => ({
    x: ((width / 2 - positionX) / scale - place.left) / place.scale,
    y: ((height / 2 - positionY) / scale - place.top) / place.scale,
    percent: 100 * scale * place.scale,
  });

  it('keeps the percentage and the center', () => {
    const before = zoomToPoint({ x: 420, y: 300 }, 1 / wide.place.scale, wide.box);
    const after = centerOf(zoomAfterResize(before, wide, narrow), narrow);
    const { x, y } = centerOf(before, wide);
    expect(after.x).toBeCloseTo(x);
    expect(after.y).toBeCloseTo(y);
    expect(after.percent).toBeCloseTo(100);
  });

  it('stays unzoomed', () => expect(zoomAfterResize(all, wide, narrow)).toEqual(all));
});
