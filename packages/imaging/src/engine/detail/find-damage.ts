import { measureDetail } from './measure-detail.ts';
import { makePlanes, type Plane, readPlane } from './planes.ts';

/**
 * Damage that enhancing an image at its own size reduces. `softness` is what blur and upscaling leave. JPEG damage isn't
 * included, because enhancing doesn't reduce it.
 */
export type Damage = 'noise' | 'softness';

/** A part of an image at full resolution, as interleaved 8-bit samples. Alpha is the last of 2 or 4 channels. */
export type Crop = { width: number; height: number; channels: number; data: Uint8Array };

type Size = { width: number; height: number };
type Rectangle = Size & { left: number; top: number };

/** Sides up to `wholeSide` pixels are measured whole. Longer ones are measured in evenly spread spans. */
const [wholeSide, spans, spanSide] = [3_072, 3, 1_024];

/** Returns the parts of an image that `findDamage` needs, so that images of any size take about the same time. */
export function placeCrops({ width, height }: Size): Rectangle[] {
  const columns = placeSpans(width);
  return placeSpans(height).flatMap(({ start: top, length: rows }) =>
    columns.map(({ start: left, length }) => ({ left, top, width: length, height: rows })),
  );
}

function placeSpans(side: number): { start: number; length: number }[] {
  if (side <= wholeSide) return [{ start: 0, length: side }];
  return Array.from({ length: spans }, (_, i) => ({
    start: Math.round(((i + 0.5) * side) / spans - spanSide / 2),
    length: spanSide,
  }));
}

/** Limits, checked with `bench/enhance.ts`: undamaged photos shouldn't reach them, because enhancing harms them. */
const limits = {
  /** Standard deviation of the noise, of 255. */
  noise: 3.2,
  /** Effective resolution, as a share of the size. */
  scale: 0.65,
};

/** Returns the damage of an image that enhancing reduces, or undefined if there is none or it can't be measured. */
export async function findDamage(crops: readonly Crop[]): Promise<Damage | undefined> {
  if (measureNoise(crops) >= limits.noise) return 'noise';
  return (await measureScale(crops)) <= limits.scale ? 'softness' : undefined;
}

/** Returns the largest effective resolution of the crops, or 1 if none of them has detail. */
async function measureScale(crops: readonly Crop[]): Promise<number> {
  let most = 0;
  for (const { width, height, channels, data } of crops) {
    const rowLength = width * channels;
    const readRows = async (y: number, count: number) => data.subarray(y * rowLength, (y + count) * rowLength);
    const { image, isFlat, pixelFactor } = await measureDetail({ width, height, channels, depth: 8, readRows });
    // Pixel art is sharp, although it has few pixels.
    if (pixelFactor) return 1;
    if (!isFlat) most = Math.max(most, image);
  }
  return most || 1;
}

const noiseBlock = 16;
/** With fewer blocks, the flattest ones may all have detail. */
const minBlocks = 32;
/** The flattest blocks have the least detail that could be mistaken for noise. */
const flatShare = 0.05;
/** Standard deviation of the mask's result on noise with a standard deviation of 1. */
const maskGain = 6;

/**
 * Returns the standard deviation of the noise in luma, of 255, in the flattest blocks. 0 for small images. Source:
 * J. Immerkaer, "Fast Noise Variance Estimation", 1996. Its mask ignores gradients and straight edges along the axes.
 */
function measureNoise(crops: readonly Crop[]): number {
  const blocks = crops.flatMap(measureBlocks).sort((a, b) => a - b);
  if (blocks.length < minBlocks) return 0;
  return Math.sqrt(blocks[Math.floor(blocks.length * flatShare)] ?? 0) / maskGain;
}

/** Returns the mean square of the mask in each whole block. */
function measureBlocks({ width, height, channels, data }: Crop): number[] {
  const luma = makePlanes({ channels, depth: 8 })[0] as Plane;
  const plane = new Float32Array(width * height);
  readPlane(data, luma, { from: 0, count: width * height, target: plane, at: 0 });
  const blocks: number[] = [];
  for (let top = 1; top + noiseBlock < height; top += noiseBlock)
    for (let left = 1; left + noiseBlock < width; left += noiseBlock) {
      let squares = 0;
      for (let y = top; y < top + noiseBlock; y++)
        for (let x = left, at = y * width + left; x < left + noiseBlock; x++, at++) {
          const value = maskAt(plane, at, width);
          squares += value * value;
        }
      blocks.push(squares / noiseBlock ** 2);
    }
  return blocks;
}

/** Applies the mask, whose rows are 1 -2 1, -2 4 -2, and 1 -2 1. */
function maskAt(plane: Float32Array, at: number, width: number): number {
  const row = (i: number) => (plane[i - 1] as number) - 2 * (plane[i] as number) + (plane[i + 1] as number);
  return row(at - width) - 2 * row(at) + row(at + width);
}
