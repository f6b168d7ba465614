import { makeEncoding, toLinear } from '@uprez/imaging/color/encoding';
import { p3Gamut } from '@uprez/imaging/color/gamut';
import { compareFrame } from '@uprez/imaging/engine/steps/compare-frame';
import type { Size } from '../../lib/format/format.ts';

/** Images with more pixels are scaled down first, to limit memory use. */
const maxPixels = 64_000_000;
/** Longer side of the heat map, in pixels. */
const maxMapSide = 640;
/** Maximum time that reading rows may block the page, in milliseconds. */
const maxBlockedMs = 40;
/** Display P3 covers the colors of most wide-gamut images. */
const [colorSpace, encoding] = ['display-p3', makeEncoding(p3Gamut, toLinear)] as const;

/** Color differences (CIEDE2000) between corresponding areas of two images. */
export type DifferenceMap = {
  /** Object URL of the heat map. */
  url: string;
  mean: number;
  worst: number;
};

type ComparisonInput = { before: string; after: string /** Size of `after`. */; size: Size; signal: AbortSignal };

async function loadBitmap(url: string): Promise<ImageBitmap> {
  const image = new Image();
  image.src = url;
  await image.decode();
  const { naturalWidth: width, naturalHeight: height } = image;
  const scale = Math.min(1, Math.sqrt(maxPixels / (width * height)));
  const reduced = { resizeWidth: Math.ceil(width * scale), resizeHeight: Math.ceil(height * scale) };
  return createImageBitmap(image, {
    premultiplyAlpha: 'none',
    ...(scale < 1 && { ...reduced, resizeQuality: 'high' }),
  });
}

/** Part of an image, in pixels. */
type Area = Size & { left: number; top: number };

/** Returns the area of an original that a result of this size shows: all of it, or its center if it was cropped. */
export function getVisibleArea(original: Size, result: Size): Area {
  const scale = Math.min(original.width / result.width, original.height / result.height);
  // Allows a difference of one pixel, because the size of a result is rounded to whole pixels.
  const isUncropped = (whole: number, part: number) => Math.abs(whole / scale - part) <= 1;
  const of = (whole: number, part: number) => (isUncropped(whole, part) ? whole : Math.round(part * scale));
  const [width, height] = [of(original.width, result.width), of(original.height, result.height)];
  const center = (whole: number, part: number) => Math.floor((whole - part) / 2);
  return { width, height, left: center(original.width, width), top: center(original.height, height) };
}

/** The engine's comparison reads the frame's rows. */
function makeFrame(bitmap: ImageBitmap, { left, top, width, height }: Area, signal: AbortSignal) {
  const canvas = new OffscreenCanvas(width, 1);
  let since = performance.now();
  const readRows = async (y: number, count: number) => {
    if (performance.now() - since > maxBlockedMs) {
      await new Promise((resolve) => setTimeout(resolve));
      signal.throwIfAborted();
      since = performance.now();
    }
    canvas.height = count;
    const context = canvas.getContext('2d', { willReadFrequently: true, colorSpace });
    if (!context) throw new Error('This browser has no canvas.');
    context.drawImage(bitmap, left, top + y, width, count, 0, 0, width, count);
    return new Uint8Array(context.getImageData(0, 0, width, count).data.buffer);
  };
  const size = { width, height, channels: 4, depth: 8 } as const;
  return { ...size, file: { ...size, readRows }, frame: 0, encoding };
}

async function drawMap(differences: readonly number[], grid: { columns: number; rows: number }, size: Size) {
  const cells = await createImageBitmap(new ImageData(paintDifferences(differences), grid.columns, grid.rows));
  const scale = maxMapSide / Math.max(size.width, size.height);
  const [width, height] = [Math.ceil(size.width * scale), Math.ceil(size.height * scale)];
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser has no canvas.');
  context.imageSmoothingEnabled = false;
  context.drawImage(cells, 0, 0, width, height);
  return URL.createObjectURL(await canvas.convertToBlob());
}

/**
 * Creates a heat map of the color difference between an original and its result, with the same comparison as receipts.
 * Rejects if an image can't be read, or with the signal's abort reason.
 */
export async function measureDifference({ before, after, size, signal }: ComparisonInput): Promise<DifferenceMap> {
  const [original, result] = await Promise.all([loadBitmap(before), loadBitmap(after)]);
  try {
    const { width, height } = result;
    const { differences, grid } = await compareFrame(
      makeFrame(original, getVisibleArea(original, size), signal),
      makeFrame(result, { width, height, left: 0, top: 0 }, signal),
    );
    const mean = differences.reduce((sum, one) => sum + one, 0) / differences.length;
    return { url: await drawMap(differences, grid, size), mean, worst: Math.max(...differences) };
  } finally {
    original.close();
    result.close();
  }
}

type Color = readonly [red: number, green: number, blue: number];

/** Color difference (CIEDE2000) from which the last color is used. */
export const maxMapDifference = 10;

/** Colors for differences from 0 to `maxMapDifference`, evenly spaced: "inferno" of Matplotlib (Smith, Van der Walt, CC0). */
export const mapColors: readonly Color[] = [
  [0, 0, 4],
  [66, 10, 104],
  [147, 38, 103],
  [221, 81, 58],
  [252, 165, 10],
  [252, 255, 164],
];

function colorOf(difference: number): Color {
  const position = Math.min(1, difference / maxMapDifference) * (mapColors.length - 1);
  const index = Math.min(mapColors.length - 2, Math.floor(position));
  const [from, to] = [mapColors[index] as Color, mapColors[index + 1] as Color];
  const blend = (c: 0 | 1 | 2) => from[c] + (to[c] - from[c]) * (position - index);
  return [blend(0), blend(1), blend(2)];
}

/** Returns one pixel (RGBA) for each area, in the color of its difference (CIEDE2000). */
export const paintDifferences = (differences: readonly number[]): Uint8ClampedArray<ArrayBuffer> =>
  Uint8ClampedArray.from(differences.flatMap((difference) => [...colorOf(difference), 255]));
