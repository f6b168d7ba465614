import { dpiRange } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { fitModes } from '@uprez/contracts/recipe/recipe-choices';
import { scaleSize } from '@uprez/imaging/pipeline/compute-target-size';
import type { Size } from '../../../lib/format/format.ts';

/**
 * Width and height. While the two are linked, one of them is undefined and is computed from the other and the image's
 * proportions. A side that hasn't been entered is also undefined.
 */
export type Box = {
  width?: number | undefined;
  height?: number | undefined;
  fit: (typeof fitModes)[number];
  linked?: boolean;
};

export type PrintUnit = 'cm' | 'in';
export type BoxTarget =
  | ({ by: 'box' } & Box)
  /** `width` and `height` are in `unit`. */
  | ({ by: 'print'; unit: PrintUnit; dpi: number | undefined } & Box);

export type TargetSize =
  | BoxTarget
  | { by: 'longSide' | 'shortSide'; pixels: number | undefined }
  | { by: 'megapixels'; megapixels: number | undefined };
export type TargetWay = TargetSize['by'];

/** In the order of the menu. */
export const targetWays = [
  'box',
  'print',
  'longSide',
  'shortSide',
  'megapixels',
] as const satisfies readonly TargetWay[];

export const unitsPerInch: Record<PrintUnit, number> = { cm: 2.54, in: 1 };
/** Minimum and step for a printed side, in centimeters or inches. */
export const printStep = 0.01;

const roundToHundredths = (n: number) => Math.round(n * 100) / 100;

/** Converts pixels to a printed length in `unit`, rounded to two decimal places. */
export const toPrintLength = (pixels: number, unit: PrintUnit, dpi: number): number =>
  roundToHundredths((pixels / dpi) * unitsPerInch[unit]);

const toPixels = (length: number | undefined, unit: PrintUnit, dpi: number): number | undefined =>
  length && Math.min(limits.outputSide, Math.max(1, Math.round((length / unitsPerInch[unit]) * dpi)));

/** Returns the default print unit of the browser's locale: inches for US English, otherwise centimeters. */
export const guessPrintUnit = (): PrintUnit => (navigator.language === 'en-US' ? 'in' : 'cm');

/**
 * Returns a target of the given kind. Its initial values are taken from `size`, and are empty if `size` is undefined.
 */
export function makeTarget(by: TargetWay, size: Size | undefined): TargetSize {
  if (by === 'box') return { by, fit: 'fit', linked: true, width: size?.width };
  if (by === 'print') {
    const [unit, dpi] = [guessPrintUnit(), dpiRange.default];
    return { by, unit, dpi, fit: 'fit', linked: true, width: size && toPrintLength(size.width, unit, dpi) };
  }
  if (by === 'megapixels')
    return { by, megapixels: size && Math.max(0.01, roundToHundredths((size.width * size.height) / 1e6)) };
  const choose = by === 'longSide' ? Math.max : Math.min;
  return { by, pixels: size && choose(size.width, size.height) };
}

/** Returns both sides as displayed. While the sides are linked, the missing side is computed from the other one. */
export function toShownSides(target: BoxTarget, size: Size | undefined): Pick<Box, 'width' | 'height'> {
  const { width, height, linked } = target;
  if (!linked || !size || (!width && !height)) return { width, height };
  const factor = width ? width / size.width : (height ?? 0) / size.height;
  const both =
    target.by === 'box'
      ? scaleSize(size, factor)
      : { width: roundToHundredths(size.width * factor), height: roundToHundredths(size.height * factor) };
  return { width: width ?? both.width, height: height ?? both.height };
}

function toBoxFields(target: BoxTarget) {
  const [width, height] = [target.width, target.height].map((side) => {
    if (target.by === 'box') return side;
    return target.dpi && toPixels(side, target.unit, target.dpi);
  });
  if (!width && !height) return undefined;
  const fit = target.fit === 'cover' && !(width && height) ? 'fit' : target.fit;
  return { ...(width && { width }), ...(height && { height }), fit };
}

/** Rounds down. A value that floating-point error puts just below an integer is rounded to that integer. */
const floorWithTolerance = (n: number) => Math.floor(n + 1e-6);

/** Multiplies the target by a factor, and rounds it down. */
export function scaleTarget(target: TargetSize, factor: number): TargetSize {
  const whole = (side: number | undefined) => side && Math.max(1, floorWithTolerance(side * factor));
  const printed = (side: number | undefined) =>
    side && Math.max(printStep, floorWithTolerance(side * factor * 100) / 100);
  if (target.by === 'box') return { ...target, width: whole(target.width), height: whole(target.height) };
  if (target.by === 'print') return { ...target, width: printed(target.width), height: printed(target.height) };
  if (target.by !== 'megapixels') return { ...target, pixels: whole(target.pixels) };
  return { ...target, megapixels: printed(target.megapixels && target.megapixels * factor) };
}

/** Returns a printed size that converts to exactly these pixels. Undefined if there is none in either unit. */
function findPrintTarget({ width, height, fit, dpi }: Recipe): TargetSize | undefined {
  if (!dpi || !(width || height)) return undefined;
  const [first, second]: PrintUnit[] = guessPrintUnit() === 'in' ? ['in', 'cm'] : ['cm', 'in'];
  const targets = [first, second].flatMap((unit): TargetSize[] => {
    if (!unit) return [];
    const length = (side: number | undefined) => side && toPrintLength(side, unit, dpi);
    return [{ by: 'print', unit, dpi, fit, linked: !(width && height), width: length(width), height: length(height) }];
  });
  return targets.find((target) => {
    const fields = toTargetFields(target);
    return fields && 'fit' in fields && fields.width === width && fields.height === height;
  });
}

/** Returns the target that converts to the size of a recipe. Undefined if its scale factor sets the size. */
export function targetOfRecipe(recipe: Recipe): TargetSize | undefined {
  const { width, height, fit, longSide, shortSide, megapixels } = recipe;
  if (longSide) return { by: 'longSide', pixels: longSide };
  if (shortSide) return { by: 'shortSide', pixels: shortSide };
  if (megapixels) return { by: 'megapixels', megapixels };
  if (!width && !height) return undefined;
  return findPrintTarget(recipe) ?? { by: 'box', width, height, fit, linked: !(width && height) };
}

/** Converts a target to recipe fields. Undefined while a required number is missing. */
export function toTargetFields(target: TargetSize) {
  if (target.by === 'box' || target.by === 'print') return toBoxFields(target);
  const value = target.by === 'megapixels' ? target.megapixels : target.pixels;
  return value ? { [target.by]: value } : undefined;
}
