import { describe, expect, it } from 'vitest';
import { countWork, planParts } from './plan-parts.ts';

const source = { width: 4_000, height: 3_000 };
const [across, down] = [16, 12];
const isInside = (i: number, [left, top, right, bottom]: number[]) => {
  const [x, y] = [i % across, Math.floor(i / across)];
  return x >= (left ?? 0) && x < (right ?? 0) && y >= (top ?? 0) && y < (bottom ?? 0);
};

/** Plans an image whose blocks in `sharp` need their full size. Others need half of it. */
function plan(sharp: number[][], target = 2, soft = 0.5) {
  const factors = Array.from({ length: across * down }, (_, i) => (sharp.some((area) => isInside(i, area)) ? 1 : soft));
  const output = { width: source.width * target, height: source.height * target };
  return planParts({ blocks: { side: 256, across, down, factors }, source, output });
}

describe('planParts', () => {
  it('processes a soft image at half its size', () => {
    const [part, ...others] = plan([]);
    expect(others).toEqual([]);
    expect(part).toMatchObject({ factor: 0.5, area: { left: 0, top: 0, width: 2_000, height: 1_500 } });
    expect(part?.output).toEqual({ left: 0, top: 0, width: 8_000, height: 6_000 });
  });

  it('uses no factor above the largest one', () => {
    const sharp = {
      side: 256,
      across,
      down,
      factors: Array.from({ length: across * down }, (_, i) => (i < 16 ? 1 : 0.5)),
    };
    for (const target of [1.5, 2]) {
      const output = { width: source.width * target, height: source.height * target };
      const parts = planParts({ blocks: sharp, largest: 2 / 3, source, output });
      expect(parts.map(({ factor }) => factor)).toEqual([0.5, 2 / 3]);
    }
    const output = { width: source.width * 2.5, height: source.height * 2.5 };
    expect(planParts({ blocks: sharp, largest: 0.625, source, output })).toMatchObject([{ factor: 0.625 }]);
  });

  it('processes a sharp image, and one that is upscaled by 4, as a whole', () => {
    for (const parts of [plan([[0, 0, 16, 12]]), plan([[1, 1, 15, 11]]), plan([], 4)])
      expect(parts).toMatchObject([{ factor: 1, area: { width: 4_000, height: 3_000 } }]);
  });

  it('covers sharp blocks with few rectangles, which saves work', () => {
    const parts = plan([
      [5, 3, 8, 7],
      [6, 7, 8, 8],
      [12, 10, 13, 11],
    ]);
    expect(parts[0]?.factor).toBe(0.5);
    expect(parts.length).toBeLessThanOrEqual(4);
    expect(countWork(parts)).toBeLessThan(0.5 * 12_000_000);
    const covered = (x: number, y: number) =>
      parts.some(({ factor, output: { left, top, width, height }, feather }) => {
        const [right, bottom] = [left + width - feather, top + height - feather];
        return factor === 1 && x >= left + feather && x <= right && y >= top + feather && y <= bottom;
      });
    for (const [x, y] of [
      [5, 3],
      [8, 7],
      [6, 8],
      [8, 8],
      [12, 10],
      [13, 11],
    ])
      expect(covered((x ?? 0) * 512, (y ?? 0) * 512)).toBe(true);
  });

  it('starts parts on the cells of the color correction', () => {
    for (const { area } of plan([[5, 3, 8, 7]])) expect([area.left % 16, area.top % 16]).toEqual([0, 0]);
  });

  it('uses two thirds for an image that needs more than half', () => {
    const [part] = plan([], 2, 0.6);
    expect(part?.area).toMatchObject({ width: 2_667, height: 2_000 });
    expect(part?.grid.width).toBeCloseTo(2_666.67, 2);
  });
});
