import { describe, expect, it, vi } from 'vitest';
import { makeTarget, scaleTarget, targetWays, toShownSides, toTargetFields } from './target-size.ts';

vi.stubGlobal('navigator', { language: 'de-DE' });
const size = { width: 1_600, height: 1_200 };
const print = { by: 'print', unit: 'cm', dpi: 300, fit: 'fit', linked: true } as const;

describe('makeTarget', () => {
  it('begins with the numbers of the image', () => {
    const fields = targetWays.map((by) => toTargetFields(makeTarget(by, size)));
    expect(fields).toEqual([
      { width: 1_600, fit: 'fit' },
      { width: 1_600, fit: 'fit' },
      { longSide: 1_600 },
      { shortSide: 1_200 },
      { megapixels: 1.92 },
    ]);
  });
});

describe('toShownSides', () => {
  it('computes the linked side from the proportions of the image', () => {
    const box = { by: 'box', fit: 'fit', linked: true } as const;
    expect(toShownSides({ ...box, width: 800 }, size)).toEqual({ width: 800, height: 600 });
    expect(toShownSides({ ...box, height: 300 }, size)).toEqual({ width: 400, height: 300 });
    expect(toShownSides({ ...print, width: 15 }, size)).toEqual({ width: 15, height: 11.25 });
    expect(toShownSides({ ...box, linked: false, width: 800 }, size)).toEqual({ width: 800, height: undefined });
    expect(toShownSides({ ...box, width: 800 }, undefined)).toEqual({ width: 800, height: undefined });
  });
});

describe('toTargetFields', () => {
  it('converts a printed size to pixels', () => {
    expect(toTargetFields({ ...print, width: 15 })).toEqual({ width: 1_772, fit: 'fit' });
    expect(toTargetFields({ ...print, width: 6, height: 4, unit: 'in', fit: 'cover' })).toEqual({
      width: 1_800,
      height: 1_200,
      fit: 'cover',
    });
    expect(toTargetFields({ ...print, width: 15, dpi: undefined })).toBeUndefined();
  });
});

describe('scaleTarget', () => {
  it('rounds down', () => {
    expect(scaleTarget({ by: 'box', fit: 'cover', width: 999, height: 501 }, 0.5)).toMatchObject({
      width: 499,
      height: 250,
    });
    expect(scaleTarget({ by: 'longSide', pixels: 999 }, 0.5)).toMatchObject({ pixels: 499 });
    expect(scaleTarget({ by: 'megapixels', megapixels: 3 }, 0.5)).toMatchObject({ megapixels: 0.75 });
    expect(scaleTarget({ ...print, width: 15.01 }, 0.5)).toMatchObject({ width: 7.5 });
  });
});
