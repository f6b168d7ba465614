import { AppError } from '@uprez/contracts/errors/app-error';
import type { CodePoints } from '../../heif/read-properties.ts';
import { type Depth, makeSamples, type Samples, whiteOf } from '../rows/row-stream.ts';

/** `stride`: distance between the starts of two rows, in samples, including padding. */
type Plane = { samples: Samples; stride: number; width: number; height: number; bits: number };
/**
 * Planes of a frame. The first is luma. Unless the frame is gray, blue and red color differences follow. `matrix`:
 * matrix coefficients of ITU-T H.273.
 */
export type Planes = { planes: Plane[]; matrix: number; isFullRange: boolean };
/** `points`: the file's code points, which take precedence over those of the frame. */
type RequestedPixels = { width: number; height: number; depth: Depth; points: CodePoints | undefined };

/** Luma coefficients of red and blue. The keys are matrix coefficients (H.273, table 4). */
const lumaCoefficients: Record<number, readonly [red: number, blue: number]> = {
  1: [0.2126, 0.0722],
  4: [0.3, 0.11],
  7: [0.212, 0.087],
  9: [0.2627, 0.0593],
  10: [0.2627, 0.0593],
};
/** ITU-R BT.601, which is also the default for frames without known matrix coefficients. */
const defaultLumaCoefficients = [0.299, 0.114] as const;
/** Matrix coefficients: identity (planes are green, blue, and red), unspecified, and YCgCo. */
const [identity, unspecified, lossless] = [0, 2, 8];

/** Converts a luma plane to samples. Used for gray frames, and for alpha, which is always full range. */
export function toGray({ planes, isFullRange }: Planes, wanted: RequestedPixels & { isAlpha: boolean }): Samples {
  const { width, height, depth, points, isAlpha } = wanted;
  const plane = getPlane(planes, 0, wanted);
  const scale = makeBrightnessTable(plane.bits, isAlpha || (points?.isFullRange ?? isFullRange), depth);
  const limit = makeClamp(depth);
  const grey = makeSamples(depth, width * height);
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++, to++) {
      grey[to] = limit(scale[plane.samples[y * plane.stride + x] as number] as number);
    }
  return grey;
}

/** Returns a table that maps sample values to brightness. Black is 0, and white is the largest sample of the depth. */
function makeBrightnessTable(bits: number, isFullRange: boolean, depth: Depth): Float64Array {
  const [black, white] = isFullRange ? [0, 2 ** bits - 1] : [16 * 2 ** (bits - 8), 235 * 2 ** (bits - 8)];
  const most = whiteOf(depth);
  return Float64Array.from({ length: tableLength(bits) }, (_, sample) => (most * (sample - black)) / (white - black));
}

/**
 * Returns a table that maps chroma (Cb or Cr) sample values to color differences, from -0.5 to 0.5 times the maximum
 * sample value at `depth`.
 */
function makeDifferenceTable(bits: number, isFullRange: boolean, depth: Depth): Float64Array {
  const range = isFullRange ? 2 ** bits - 1 : 224 * 2 ** (bits - 8);
  const zero = 2 ** (bits - 1);
  return Float64Array.from({ length: tableLength(bits) }, (_, sample) => (whiteOf(depth) * (sample - zero)) / range);
}

/**
 * Tables cover all 16-bit words if samples have more than 8 bits, because samples of damaged frames may exceed the
 * declared bits.
 */
const tableLength = (bits: number) => 2 ** (bits > 8 ? 16 : 8);

function getPlane(planes: Plane[], channel: number, { width, height }: { width: number; height: number }): Plane {
  const plane = planes[channel];
  if (!plane || plane.width < width || plane.height < height) throw new AppError('corrupt_image');
  return plane;
}

/** Converts a frame to RGB. If a color sample covers several pixels, it's repeated. */
export function toRgb(frame: Planes, wanted: RequestedPixels): Samples {
  const { width, height, depth, points } = wanted;
  const { planes } = frame;
  if (planes.length === 1) return repeatGray(toGray(frame, { ...wanted, isAlpha: false }), depth);
  const matrix = points && points.matrix !== unspecified ? points.matrix : frame.matrix;
  const isFullRange = points?.isFullRange ?? frame.isFullRange;
  if (matrix === identity) return mergePlanes(planes, isFullRange, wanted);
  const light = getPlane(planes, 0, wanted);
  const [across, down] = chromaShiftsOf(planes);
  const colorSize = { width: (width + across) >> across, height: (height + down) >> down };
  const [blue, red] = [getPlane(planes, 1, colorSize), getPlane(planes, 2, colorSize)];
  const tables = makeTables({ matrix, isFullRange, depth, bits: [light.bits, blue.bits] });
  const limit = makeClamp(depth);
  const rgb = makeSamples(depth, width * height * 3);
  for (let y = 0, to = 0; y < height; y++) {
    const [row, colorRow] = [y * light.stride, (y >> down) * blue.stride];
    for (let x = 0; x < width; x++, to += 3) {
      const at = colorRow + (x >> across);
      const [u, v] = [blue.samples[at] as number, red.samples[at] as number];
      const value = tables.light[light.samples[row + x] as number] as number;
      rgb[to] = limit(value + (tables.redByRed[v] as number) + (tables.redByBlue[u] as number));
      rgb[to + 1] = limit(value + (tables.greenByRed[v] as number) + (tables.greenByBlue[u] as number));
      rgb[to + 2] = limit(value + (tables.blueByRed[v] as number) + (tables.blueByBlue[u] as number));
    }
  }
  return rgb;
}

/**
 * Returns a function that clamps values to the samples of a depth. It adds 0.5, because typed arrays truncate fractions
 * instead of rounding them.
 */
const makeClamp = (depth: Depth) => {
  const most = whiteOf(depth);
  return (value: number) => (value < 0 ? 0 : value > most ? most : value + 0.5);
};

function repeatGray(grey: Samples, depth: Depth): Samples {
  const rgb = makeSamples(depth, grey.length * 3);
  for (let i = 0; i < grey.length; i++) rgb.fill(grey[i] as number, 3 * i, 3 * i + 3);
  return rgb;
}

/** Interleaves planes of green, blue, and red. */
function mergePlanes(planes: Plane[], isFullRange: boolean, wanted: RequestedPixels): Samples {
  const { width, height, depth } = wanted;
  const limit = makeClamp(depth);
  const rgb = makeSamples(depth, width * height * 3);
  for (const [channel, from] of [2, 0, 1].entries()) {
    const { samples, stride, bits } = getPlane(planes, from, wanted);
    const scale = makeBrightnessTable(bits, isFullRange, depth);
    for (let y = 0; y < height; y++)
      for (let x = 0; x < width; x++)
        rgb[(y * width + x) * 3 + channel] = limit(scale[samples[y * stride + x] as number] as number);
  }
  return rgb;
}

/** Returns the base-2 logarithms of the horizontal and vertical chroma subsampling factors. */
function chromaShiftsOf([light, color]: Plane[]): [number, number] {
  if (!light || !color) throw new AppError('corrupt_image');
  return [color.width < light.width ? 1 : 0, color.height < light.height ? 1 : 0];
}

type MatrixConversion = { matrix: number; isFullRange: boolean; depth: Depth; bits: [light: number, color: number] };

/** Returns tables with the contribution of each sample value to red, green, and blue (H.273, 8.3). */
function makeTables({ matrix, isFullRange, depth, bits }: MatrixConversion) {
  const differences = makeDifferenceTable(bits[1], isFullRange, depth);
  const [red, blue] = lumaCoefficients[matrix] ?? defaultLumaCoefficients;
  const green = 1 - red - blue;
  const scaled = (factor: number) => differences.map((value) => factor * value);
  const isLossless = matrix === lossless;
  const choose = (usual: number, other: number) => scaled(isLossless ? other : usual);
  return {
    light: makeBrightnessTable(bits[0], isFullRange, depth),
    redByRed: choose(2 * (1 - red), 1),
    redByBlue: choose(0, -1),
    greenByRed: choose((-2 * red * (1 - red)) / green, 0),
    greenByBlue: choose((-2 * blue * (1 - blue)) / green, 1),
    blueByRed: choose(0, -1),
    blueByBlue: choose(2 * (1 - blue), -1),
  };
}
