import { linearTable } from '../rows/linear-light.ts';
import { type Depth, type RowStream, type Samples, whiteOf } from '../rows/row-stream.ts';

/**
 * Returns the edges of the cells along one side: cell i spans pixels `edges[i]` to `edges[i + 1]`. The last cell takes
 * the remainder.
 */
export function computeCellEdges(length: number, side: number): number[] {
  const count = Math.max(1, Math.round(length / side));
  return Array.from({ length: count + 1 }, (_, i) => (i === count ? length : i * side));
}

/** Share of white pixels in a cell from which its white is fully protected from darkening. */
const whiteShare = 0.5;

/**
 * A row of cells. For each cell and channel: mean linear light, and how strongly white is protected from darkening
 * (both 0-1).
 */
type SourceCells = { light: Float32Array; white: Float32Array };

export type CellMeter = ReturnType<typeof openCellMeter>;

/** Measures the cells of an image while its rows are read. */
export function openCellMeter({ width, height, channels, depth }: RowStream, side: number) {
  const [across, down] = [computeCellEdges(width, side), computeCellEdges(height, side)];
  const table = linearTable(depth);
  const white = whiteOf(depth);
  const size = (across.length - 1) * channels;
  const finished: SourceCells[] = [];
  let light = new Float32Array(size);
  let whites = new Float32Array(size);
  let y = 0;

  function addRow(rows: Samples, start: number): void {
    for (let cell = 0; cell < across.length - 1; cell++)
      for (let c = 0; c < channels; c++) {
        const until = start + (across[cell + 1] as number) * channels;
        let [sum, count] = [0, 0];
        for (let i = start + (across[cell] as number) * channels + c; i < until; i += channels) {
          const sample = rows[i] as number;
          sum += table[sample] as number;
          if (sample === white) count++;
        }
        const at = cell * channels + c;
        light[at] = (light[at] as number) + sum;
        whites[at] = (whites[at] as number) + count;
      }
  }

  function finish(row: number): void {
    const rows = (down[row + 1] as number) - (down[row] as number);
    for (let at = 0; at < size; at++) {
      const cell = Math.floor(at / channels);
      const pixels = rows * ((across[cell + 1] as number) - (across[cell] as number));
      light[at] = (light[at] as number) / pixels;
      whites[at] = Math.min(1, (whites[at] as number) / (whiteShare * pixels));
    }
    finished.push({ light, white: whites });
    light = new Float32Array(size);
    whites = new Float32Array(size);
  }

  let row = 0;
  const add = (rows: Samples) => {
    for (let start = 0; start < rows.length; start += width * channels) {
      addRow(rows, start);
      if (++y === down[row + 1]) finish(row++);
    }
  };
  /** Returns the next finished row of cells. Throws Error if none is finished. */
  const take = () => {
    const cells = finished.shift();
    if (!cells) throw new Error('the source rows have not been read yet');
    return cells;
  };
  return { add, take };
}

/**
 * Light added to every pixel, in linear light. Otherwise, black couldn't be brightened where the source isn't black.
 * It is less than 2 of 255 sRGB values, because light that is missing from highlights also brightens the black next to
 * them by a share of it.
 */
const lightFloor = 0.0005;
/**
 * Distance from white, in linear light. If a source pixel is white, samples within this distance of white are darkened
 * less.
 */
const whiteZone = 0.1;
/**
 * Maximum change of a sample that has the mean brightness of its cell, as a share of white. The change is limited,
 * because larger differences are differences in detail.
 */
const maxChange = 18 / 255;
/** Multiple of the cell's mean light above which the change of a pixel is constant. */
const knee = 16;
/** Share of the cell's mean light below which a pixel changes less than in proportion to its light. */
const darkShare = 0.7;
/** Maximum of (l + floor) x slope of the sRGB curve, reached at white: 1.0005 x 1.055 / 2.4. */
const maxSlope = 0.44;

/**
 * Correction of one row of cells. A cell changes a pixel of light l by `gain` x (l + floor), and by at most `gain` x
 * `reach`, so that the correction of a dark area has no effect on an adjacent bright one. Where l + floor is below
 * `dark`, the change decreases with its square: light that is missing from a star isn't added to the sky around it.
 */
export type Correction = Record<'gain' | 'reach' | 'dark' | 'white', Float32Array>;

/**
 * Lookup tables by sample value: linear light, first and second Taylor coefficients of the sample over light, and the
 * share of darkening that is allowed near white.
 */
type Tables = Record<'light' | 'slope' | 'bend' | 'protection', Float32Array> & { white: number };
const tables: Partial<Record<Depth, Tables>> = {};

const slopeAt = (l: number) => (l <= 0.0031308 ? 12.92 : (1.055 / 2.4) * l ** (1 / 2.4 - 1));

function makeTables(depth: Depth): Tables {
  const white = whiteOf(depth);
  const light = linearTable(depth);
  const slope = light.map((l) => slopeAt(l) * white);
  const bend = light.map((l) => (l <= 0.0031308 ? 0 : (1.055 / 4.8) * (1 / 2.4 - 1) * l ** (1 / 2.4 - 2)) * white);
  return { white, light, slope, bend, protection: light.map((l) => Math.min(1, (1 - l) / whiteZone)) };
}

type CellRow = { across: number[]; channels: number; depth: Depth };

/** Computes the correction that gives a row of cells the mean light of its source, limited by `maxChange`. */
export function findCorrection(rows: Samples, source: SourceCells, row: CellRow): Correction {
  const { across, channels } = row;
  const reach = source.light.map((light) => knee * light + lightFloor);
  const dark = source.light.map((light) => darkShare * light + lightFloor);
  const gain = source.light.map((wanted, at) => {
    const cell = Math.floor(at / channels);
    const columns = { from: across[cell] as number, until: across[cell + 1] as number, channel: at % channels };
    const light = measureMeanLight(rows, row, columns);
    const most = maxChange / ((wanted + lightFloor) * slopeAt(wanted));
    return Math.min(most, Math.max(-most, (wanted - light) / (light + lightFloor)));
  });
  return { gain, reach, dark, white: source.white };
}

type Columns = { from: number; until: number; channel: number };

function measureMeanLight(
  rows: Samples,
  { across, channels, depth }: CellRow,
  { from, until, channel }: Columns,
): number {
  const table = linearTable(depth);
  const rowLength = (across.at(-1) as number) * channels;
  let sum = 0;
  for (let start = 0; start < rows.length; start += rowLength)
    for (let i = start + from * channels + channel; i < start + until * channels; i += channels)
      sum += table[rows[i] as number] as number;
  return (sum * rowLength) / rows.length / (until - from);
}

type CorrectRowInput = CellRow & { above: Correction; below: Correction; share: number };

/**
 * Corrects one row in place. The change of a pixel is interpolated between the changes that its four nearest cells
 * would make. Interpolating `gain` and `reach` instead would brighten black next to a bright cell, in visible
 * rectangles. `share`: weight of the cells below.
 */
export function correctRow(row: Samples, { across, channels, depth, above, below, share }: CorrectRowInput): void {
  const cells = across.length - 1;
  const center = (cell: number) => ((across[cell] as number) + (across[cell + 1] as number)) / 2;
  tables[depth] ??= makeTables(depth);
  const ofDepth = tables[depth];
  // A sample moves by at most `maxSlope` x gain x white. Skips gains that move samples by less than half a value.
  const negligible = 0.5 / (maxSlope * ofDepth.white);
  const upper = { cells: above, weight: 1 - share };
  const lower = { cells: below, weight: share };
  for (let left = -1; left < cells; left++) {
    const [a, b] = [Math.max(0, left), Math.min(cells - 1, left + 1)];
    const from = left < 0 ? 0 : Math.ceil(center(left) - 0.5);
    const until = left + 1 === cells ? (across[cells] as number) : Math.ceil(center(left + 1) - 0.5);
    const step = 1 / Math.max(1, center(b) - center(a));
    const start = (from + 0.5 - center(a)) * step;
    for (let channel = 0; channel < channels; channel++) {
      const [atA, atB] = [a * channels + channel, b * channels + channel];
      if (maxGain(above, below, atA, atB) < negligible) continue;
      const sides = { a: makeSide(upper, lower, atA), b: makeSide(upper, lower, atB) };
      correctSpan(row, ofDepth, { from, until, channel, channels, start, step, ...sides });
    }
  }
}

const maxGain = ({ gain: above }: Correction, { gain: below }: Correction, a: number, b: number) =>
  Math.max(
    Math.abs(above[a] as number),
    Math.abs(above[b] as number),
    Math.abs(below[a] as number),
    Math.abs(below[b] as number),
  );

type WeightedCells = { cells: Correction; weight: number };

/** The two cells on the left or the right side of a span, with weighted gains. `white` is interpolated between them. */
type Side = { above: CellEffect; below: CellEffect; white: number };
type CellEffect = { gain: number; reach: number; dark: number };

function makeSide(upper: WeightedCells, lower: WeightedCells, at: number): Side {
  const effect = ({ cells, weight }: WeightedCells): CellEffect => ({
    gain: (cells.gain[at] as number) * weight,
    reach: cells.reach[at] as number,
    dark: cells.dark[at] as number,
  });
  const white = ({ cells, weight }: WeightedCells) => (cells.white[at] as number) * weight;
  return { above: effect(upper), below: effect(lower), white: white(upper) + white(lower) };
}

/** `start`: position of the first pixel between sides `a` (0) and `b` (1). `step`: distance to the next pixel. */
type Span = Columns & { channels: number; start: number; step: number; a: Side; b: Side };

/** Returns the change that a cell makes to a pixel of light `lit`, which includes the floor. */
const changeBy = ({ gain, reach, dark }: CellEffect, lit: number) =>
  gain * (lit < dark ? (lit * lit) / dark : lit < reach ? lit : reach);

/** Corrects part of a row. Runs for every cell of every row, so it avoids rest and spread syntax for speed. */
function correctSpan(row: Samples, { light, slope, bend, protection, white }: Tables, span: Span): void {
  const { from, until, channels, channel, start, step, a, b } = span;
  const keepsWhite = a.white > 0 || b.white > 0;
  let share = start;
  for (let i = from * channels + channel; i < until * channels; i += channels) {
    const sample = row[i] as number;
    const lit = (light[sample] as number) + lightFloor;
    const left = changeBy(a.above, lit) + changeBy(a.below, lit);
    let change = left + (changeBy(b.above, lit) + changeBy(b.below, lit) - left) * share;
    if (keepsWhite && change < 0)
      change *= 1 - (a.white + (b.white - a.white) * share) * (1 - (protection[sample] as number));
    const value = sample + change * ((slope[sample] as number) + change * (bend[sample] as number));
    row[i] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
    share += step;
  }
}
