import type { fits } from '@uprez/contracts/recipe/recipe-choices';

export type Fit = (typeof fits)[number];
type BoxSize = { by: 'box'; width?: number | undefined; height?: number | undefined; fit: Fit };

/** A size of the result, asked for in one way. A number that was not typed yet is undefined. */
export type TargetSize =
  | BoxSize
  | { by: 'longSide' | 'shortSide'; pixels: number | undefined }
  | { by: 'megapixels'; megapixels: number | undefined };
export type TargetWay = TargetSize['by'];

/** The ways in the order in which they are offered. */
export const targetWays = ['box', 'longSide', 'shortSide', 'megapixels'] as const satisfies readonly TargetWay[];

/** Another way to ask for a size, empty. */
export function emptyTarget(by: TargetWay): TargetSize {
  if (by === 'box') return { by, fit: 'fit' };
  return by === 'megapixels' ? { by, megapixels: undefined } : { by, pixels: undefined };
}

/** The fields of a recipe that ask for this size; undefined while a number is missing. */
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
