import { deltaE, type Light } from '../../color/color-difference.ts';
import { differenceGrid } from '../../color/difference-grid.ts';
import { type Encoding, srgb } from '../../color/encoding.ts';
import { toMatrix } from '../../color/gamut.ts';
import type { RowFile, RowSize } from '../rows/row-file.ts';
import type { Samples } from '../rows/row-stream.ts';
import { type CellMeans, makeCellMeans } from './cell-means.ts';
import { makeStripLuma, sumSimilarity, windowSide } from './structure.ts';

/** What the comparison reads of a file. */
export type Rows = Omit<RowFile, 'stream' | 'close'>;

/** One frame of a file. `height`: of the frame. `encoding`: of its samples, sRGB by default. */
type Frame = RowSize & { file: Rows; frame: number; encoding?: Encoding | undefined };

/** `differences`: CIEDE2000 of the mean colors of the cells of the grid, row by row. */
type ComparedFrame = {
  grid: ReturnType<typeof differenceGrid>;
  means: readonly [source: CellMeans, result: CellMeans];
  differences: number[];
  similarity: number;
};

/** Linear sRGB of the cells. Colors outside its gamut are outside 0-1. */
function toColors({ channels, light }: CellMeans, encoding: Encoding = srgb): Light[] {
  const [red, green, blue] = toMatrix(encoding.gamut, srgb.gamut) as [number[], number[], number[]];
  return Array.from({ length: light.length / channels }, (_, cell): Light => {
    const at = (c: number) => light[cell * channels + (channels < 3 ? 0 : c)] ?? 0;
    if (encoding.gamut === srgb.gamut) return [at(0), at(1), at(2)];
    const of = (row: number[]) => row.reduce((sum, share, c) => sum + share * at(c), 0);
    return [of(red), of(green), of(blue)];
  });
}

/** Maximum strips of a frame that are compared, evenly distributed. */
const maxStrips = 64;

/** Compare strips of a frame. Both sides are reduced to the smaller size. Without luma, the similarity is NaN. */
export async function compareFrame(
  source: Frame,
  pixels: Frame,
  { usesLuma } = { usesLuma: true },
): Promise<ComparedFrame> {
  const [width, height] = [Math.min(source.width, pixels.width), Math.min(source.height, pixels.height)];
  const grid = differenceGrid(source, pixels);
  const sides = [source, pixels].map((frame) => ({
    frame,
    means: makeCellMeans(frame, grid, frame.encoding),
    luma: usesLuma ? makeStripLuma(frame, { width, height }) : undefined,
  })) as [Side, Side];
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
  const differences = wanted.map((color, cell) => deltaE(color, found[cell] as Light));
  return { grid, means, differences, similarity: sum / windows };
}

/** Strips of one window's height: adjacent ones, or `maxStrips` evenly distributed ones. The last one takes the rest. */
function placeStrips(height: number): { top: number; rows: number }[] {
  const fitting = Math.max(1, Math.floor(height / windowSide));
  const count = Math.min(fitting, maxStrips);
  return Array.from({ length: count }, (_, i) => {
    if (count < fitting) return { top: Math.floor(((i + 0.5) * height) / count - windowSide / 2), rows: windowSide };
    const top = i * windowSide;
    return { top, rows: i === count - 1 ? height - top : windowSide };
  });
}

type Side = {
  frame: Frame;
  means: ReturnType<typeof makeCellMeans>;
  luma: ReturnType<typeof makeStripLuma> | undefined;
};
type Strip = { top: number; rows: number; gridHeight: number };

/** Maximum bytes that are read at once. */
const chunkBytes = 4 * 1024 * 1024;

async function readStrip({ frame, means, luma }: Side, { top, rows, gridHeight }: Strip): Promise<void> {
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
