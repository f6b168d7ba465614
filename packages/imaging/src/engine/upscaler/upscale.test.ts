import { describe, expect, it } from 'vitest';
import { mirrorIndex } from './cut-planes.ts';
import { makeTileSpans } from './upscale.ts';

describe('makeTileSpans', () => {
  it.each([
    [1, 16, 24],
    [16, 16, 24],
    [17, 16, 24],
    [33, 16, 8],
    [100, 24, 16],
    [101, 104, 16],
    [1_000, 208, 24],
  ])('covers %d pixels in cores of %d with an overlap of %d', (length, core, overlap) => {
    const spans = makeTileSpans(length, { core, overlap, fade: Math.floor(overlap / 4) });
    const side = core + 2 * overlap;
    expect(spans[0]).toMatchObject({ from: 0, fade: 0 });
    expect(spans.at(-1)?.until).toBe(length);
    spans.forEach((span, i) => {
      const before = spans[i - 1];
      if (before) expect(before.until - span.from).toBe(span.fade);
      expect(span.from).toBeGreaterThanOrEqual(span.origin);
      expect(span.until).toBeLessThanOrEqual(span.origin + side);
      // What is used lies in the tile with context on each side, except at the image's border.
      if (span.from > 0) expect(span.from - span.origin).toBeGreaterThanOrEqual(Math.floor(overlap * 0.75));
      if (span.until < length)
        expect(span.origin + side - span.until).toBeGreaterThanOrEqual(Math.floor(overlap * 0.75));
    });
  });
});

describe('mirror', () => {
  it('does not repeat the border pixel', () => {
    expect([-3, -2, -1, 0, 3, 4, 5, 6].map((i) => mirrorIndex(i, 4))).toEqual([3, 2, 1, 0, 3, 2, 1, 0]);
  });
  it('repeats when the image is smaller than the margin', () => {
    expect([-5, -1, 7].map((i) => mirrorIndex(i, 2))).toEqual([1, 1, 1]);
    expect(mirrorIndex(-9, 1)).toBe(0);
  });
});
