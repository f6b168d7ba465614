import { deltaE, type LinearRgb } from '../../color/color-difference.ts';
import { type Encoding, srgb } from '../../color/encoding.ts';
import { makeConversionMatrix } from '../../color/gamut.ts';
import type { RowFile, RowSize } from '../rows/row-file.ts';
import { hasTransparency, type Samples, whiteOf } from '../rows/row-stream.ts';
import { type CellMeans, makeCellMeans } from './cell-means.ts';

export type ComparableRows = Omit<RowFile, 'stream' | 'close'>;

type FrameSource = RowSize & { file: ComparableRows; frame: number; encoding?: Encoding | undefined };

/** `differences`: CIEDE2000 between the mean colors of the grid cells, row by row. */
type ComparedFrame = {
  grid: ReturnType<typeof makeDifferenceGrid>;
  means: readonly [source: CellMeans, result: CellMeans];
  differences: number[];
  similarity: number;
};

function toColors({ channels, light }: CellMeans, encoding: Encoding = srgb): LinearRgb[] {
  const [red, green, blue] = makeConversionMatrix(encoding.gamut, srgb.gamut) as [number[], number[], number[]];
  return Array.from({ length: light.length / channels }, (_, cell): LinearRgb => {
    const at = (c: number) => light[cell * channels + (channels < 3 ? 0 : c)] ?? 0;
    if (encoding.gamut === srgb.gamut) return [at(0), at(1), at(2)];
    const of = (row: number[]) => row.reduce((sum, share, c) => sum + share * at(c), 0);
    return [of(red), of(green), of(blue)];
  });
}

const maxStrips = 64;

/**
 * Compares strips of two frames. Both frames are reduced to the smaller size. Without `usesLuma`, the similarity is
 * NaN.
 */
export async function compareFrame(
  source: FrameSource,
  pixels: FrameSource,
  { usesLuma } = { usesLuma: true },
): Promise<ComparedFrame> {
  const [width, height] = [Math.min(source.width, pixels.width), Math.min(source.height, pixels.height)];
  const grid = makeDifferenceGrid(source, pixels);
  const sides = [source, pixels].map((frame) => ({
    frame,
    means: makeCellMeans(frame, grid, frame.encoding),
    luma: usesLuma ? makeStripLuma(frame, { width, height }) : undefined,
  })) as [ComparedSide, ComparedSide];
  let [sum, windows] = [0, 0];
  for (const strip of placeStrips(height)) {
    for (const side of sides) await readStrip(side, { ...strip, gridHeight: height });
    const [wanted, found] = [sides[0].luma, sides[1].luma];
    if (!wanted || !found) continue;
    const added = sumSimilarity(wanted.luma, found.luma, { width, height: strip.rows });
    sum += added.sum;
    windows += added.windows;
  }
  const means = [sides[0].means.finish(), sides[1].means.finish()] as const;
  const [wanted, found] = [toColors(means[0], source.encoding), toColors(means[1], pixels.encoding)];
  const differences = wanted.map((color, cell) => deltaE(color, found[cell] as LinearRgb));
  return { grid, means, differences, similarity: sum / windows };
}

/**
 * Returns strips with the height of a window. If at most `maxStrips` fit, they are adjacent, and the last strip takes
 * the remaining rows. Otherwise, returns `maxStrips` evenly distributed strips.
 */
function placeStrips(height: number): { top: number; rows: number }[] {
  const fitting = Math.max(1, Math.floor(height / windowSide));
  const count = Math.min(fitting, maxStrips);
  return Array.from({ length: count }, (_, i) => {
    if (count < fitting) return { top: Math.floor(((i + 0.5) * height) / count - windowSide / 2), rows: windowSide };
    const top = i * windowSide;
    return { top, rows: i === count - 1 ? height - top : windowSide };
  });
}

type ComparedSide = {
  frame: FrameSource;
  means: ReturnType<typeof makeCellMeans>;
  luma: ReturnType<typeof makeStripLuma> | undefined;
};
type Strip = { top: number; rows: number; gridHeight: number };

const chunkBytes = 4 * 1024 * 1024;

async function readStrip({ frame, means, luma }: ComparedSide, { top, rows, gridHeight }: Strip): Promise<void> {
  const { width, height, channels, depth, file } = frame;
  const scale = height / gridHeight;
  const [from, until] = [Math.floor(top * scale), Math.min(height, Math.ceil((top + rows) * scale))];
  const length = width * channels;
  const step = Math.max(1, Math.floor(chunkBytes / ((length * depth) / 8)));
  luma?.start(top, rows);
  for (let y = from; y < until; y += step) {
    const count = Math.min(step, until - y);
    const chunk: Samples = await file.readRows(frame.frame * height + y, count);
    for (let i = 0; i < count; i++) {
      const row = chunk.subarray(i * length, (i + 1) * length);
      means.add(row, y + i);
      luma?.add(row, y + i);
    }
  }
}

/** Side of a window in grid pixels. */
const windowSide = 8;
const maxLuma = 255;
/** SSIM constants for samples 0-255. They keep the result stable for flat windows. */
const [c1, c2] = [(0.01 * maxLuma) ** 2, (0.03 * maxLuma) ** 2];

type Size = { width: number; height: number };
/**
 * How the pixels along one side are divided among fewer grid pixels. Pixel `i` contributes the share `first[i]` to grid
 * pixel `cells[i]`, and the share `rest[i]` to the next grid pixel.
 */
type PixelShares = { cells: Int32Array; first: Float32Array; rest: Float32Array };

/** Divides `from` pixels among `to` grid pixels by area. `to` is at most `from`. */
function sharePixelsByArea(from: number, to: number): PixelShares {
  const shares = { cells: new Int32Array(from), first: new Float32Array(from), rest: new Float32Array(from) };
  for (let i = 0; i < from; i++) {
    const [start, end] = [(i * to) / from, ((i + 1) * to) / from];
    const cell = Math.min(to - 1, Math.floor(start));
    const first = Math.min(end, cell + 1) - start;
    shares.cells[i] = cell;
    shares.first[i] = first;
    shares.rest[i] = cell + 1 < to ? end - start - first : 0;
  }
  return shares;
}

/** Luma of a strip of an image, scaled down by area to grid pixels. */
type StripLuma = {
  start: (top: number, height: number) => void;
  add: (row: Samples, y: number) => void;
  luma: Float32Array;
};

/**
 * Creates a `StripLuma` for strips of at most `2 * windowSide - 1` grid rows. `size`: size of the image, or of one of
 * its frames.
 */
function makeStripLuma(size: RowSize, grid: Size): StripLuma {
  const [across, down] = [sharePixelsByArea(size.width, grid.width), sharePixelsByArea(size.height, grid.height)];
  const luma = new Float32Array((2 * windowSide - 1) * grid.width);
  const reduced = new Float32Array(grid.width);
  const pixels = new Float32Array(size.width);
  let [top, height] = [0, 0];
  const addTo = (row: number, share: number) => {
    if (row < top || row >= top + height || share <= 0) return;
    for (let x = 0, at = (row - top) * grid.width; x < reduced.length; x++, at++)
      luma[at] = (luma[at] as number) + (reduced[x] as number) * share;
  };
  return {
    luma,
    start: (firstRow, rows) => {
      [top, height] = [firstRow, rows];
      luma.fill(0);
    },
    add: (row, y) => {
      readLuma(row, size, pixels);
      reduceRow(pixels, across, reduced);
      const cell = down.cells[y] as number;
      addTo(cell, down.first[y] as number);
      addTo(cell + 1, down.rest[y] as number);
    },
  };
}

/**
 * Reads the luma 0-255 of a row (Rec. ITU-R BT.709). Transparent pixels are blended with middle gray, because the color
 * of invisible pixels doesn't matter.
 */
function readLuma(row: Samples, { channels, depth, alpha }: RowSize, luma: Float32Array): void {
  const scale = maxLuma / whiteOf(depth);
  const [red, green, blue] = [0.2126 * scale, 0.7152 * scale, 0.0722 * scale];
  for (let x = 0, at = 0; x < luma.length; x++, at += channels)
    luma[x] =
      channels < 3
        ? (row[at] as number) * scale
        : (row[at] as number) * red + (row[at + 1] as number) * green + (row[at + 2] as number) * blue;
  if (!hasTransparency({ channels, alpha })) return;
  for (let x = 0, at = channels - 1; x < luma.length; x++, at += channels) {
    const opacity = (row[at] as number) / whiteOf(depth);
    luma[x] = (luma[x] as number) * opacity + (maxLuma / 2) * (1 - opacity);
  }
}

function reduceRow(pixels: Float32Array, { cells, first, rest }: PixelShares, reduced: Float32Array): void {
  if (pixels.length === reduced.length) {
    reduced.set(pixels);
    return;
  }
  reduced.fill(0);
  for (let x = 0; x < pixels.length; x++) {
    const cell = cells[x] as number;
    reduced[cell] = (reduced[cell] as number) + (pixels[x] as number) * (first[x] as number);
    if ((rest[x] as number) > 0)
      reduced[cell + 1] = (reduced[cell + 1] as number) + (pixels[x] as number) * (rest[x] as number);
  }
}

/**
 * Sums the SSIM (Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to structural
 * similarity", 2004) of the windows of a strip. The windows are adjacent, and their pixels have equal weights. The last
 * window includes the remaining columns.
 */
function sumSimilarity(one: Float32Array, other: Float32Array, { width, height }: Size) {
  const windows = Math.max(1, Math.floor(width / windowSide));
  let sum = 0;
  for (let i = 0; i < windows; i++) {
    const left = i * windowSide;
    sum += computeSimilarity(one, other, { width, height, left, right: i === windows - 1 ? width : left + windowSide });
  }
  return { sum, windows };
}

function computeSimilarity(
  one: Float32Array,
  other: Float32Array,
  window: Size & { left: number; right: number },
): number {
  const { width, height, left, right } = window;
  let [a, b, aa, bb, ab] = [0, 0, 0, 0, 0];
  for (let y = 0; y < height; y++)
    for (let at = y * width + left; at < y * width + right; at++) {
      const [p, q] = [one[at] as number, other[at] as number];
      a += p;
      b += q;
      aa += p * p;
      bb += q * q;
      ab += p * q;
    }
  const count = height * (right - left);
  const [meanA, meanB] = [a / count, b / count];
  const [varianceA, varianceB] = [aa / count - meanA ** 2, bb / count - meanB ** 2];
  const covariance = ab / count - meanA * meanB;
  return (
    ((2 * meanA * meanB + c1) * (2 * covariance + c2)) / ((meanA ** 2 + meanB ** 2 + c1) * (varianceA + varianceB + c2))
  );
}

/** Minimum side of a cell, in pixels, and maximum number of cells along a side. */
const cellPixels = 8;
const maxCells = 16;

const countCells = (length: number) => Math.max(1, Math.min(maxCells, Math.floor(length / cellPixels)));

function makeDifferenceGrid(one: Size, other: Size): { columns: number; rows: number } {
  return {
    columns: countCells(Math.min(one.width, other.width)),
    rows: countCells(Math.min(one.height, other.height)),
  };
}
