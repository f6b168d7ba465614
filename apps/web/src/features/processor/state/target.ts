import type { fits } from '@uprez/contracts/recipe/recipe-choices';

export type Fit = (typeof fits)[number];
type BoxSize = { by: 'box'; width?: number | undefined; height?: number | undefined; fit: Fit };

/** An exact size. Numbers that are not entered yet are undefined. */
export type TargetSize =
  | BoxSize
  | { by: 'longSide' | 'shortSide'; pixels: number | undefined }
  | { by: 'megapixels'; megapixels: number | undefined };
export type TargetWay = TargetSize['by'];

/** Ways to enter a size, in the order of the menu. */
export const targetWays = ['box', 'longSide', 'shortSide', 'megapixels'] as const satisfies readonly TargetWay[];

export function emptyTarget(by: TargetWay): TargetSize {
  if (by === 'box') return { by, fit: 'fit' };
  return by === 'megapixels' ? { by, megapixels: undefined } : { by, pixels: undefined };
}

/** The recipe fields of a size; undefined while a number is missing. */
export function targetFields(target: TargetSize) {
  if (target.by === 'box') {
    const { width, height } = target;
    if (!width && !height) return undefined;
    const fit = target.fit === 'cover' && !(width && height) ? 'fit' : target.fit;
    return { ...(width && { width }), ...(height && { height }), fit };
  }
  const value = target.by === 'megapixels' ? target.megapixels : target.pixels;
  return value ? { [target.by]: value } : undefined;
}
