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
export type Correction = {
  /** `gain`, `reach`, and `dark` of each cell and channel, interleaved. */
  effects: Float32Array;
  white: Float32Array;
};
const effectLength = 3;

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
  const effects = new Float32Array(effectLength * source.light.length);
  for (let at = 0; at < source.light.length; at++) {
    const cell = Math.floor(at / channels);
    const columns = { from: across[cell] as number, until: across[cell + 1] as number, channel: at % channels };
    const wanted = source.light[at] as number;
    const light = measureMeanLight(rows, row, columns);
    const most = maxChange / ((wanted + lightFloor) * slopeAt(wanted));
    const gain = Math.min(most, Math.max(-most, (wanted - light) / (light + lightFloor)));
    effects.set([gain, knee * wanted + lightFloor, darkShare * wanted + lightFloor], effectLength * at);
  }
  return { effects, white: source.white };
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
  const largestGain = (at: number) =>
    Math.max(
      Math.abs(above.effects[effectLength * at] as number),
      Math.abs(below.effects[effectLength * at] as number),
    );
  for (let left = -1; left < cells; left++) {
    const [a, b] = [Math.max(0, left), Math.min(cells - 1, left + 1)];
    const from = left < 0 ? 0 : Math.ceil(center(left) - 0.5);
    const until = left + 1 === cells ? (across[cells] as number) : Math.ceil(center(left + 1) - 0.5);
    const step = 1 / Math.max(1, center(b) - center(a));
    const start = (from + 0.5 - center(a)) * step;
    for (let channel = 0; channel < channels; channel++) {
      const [atA, atB] = [a * channels + channel, b * channels + channel];
      if (Math.max(largestGain(atA), largestGain(atB)) < negligible) continue;
      correctSpan(row, ofDepth, { from, until, channel, channels, start, step, atA, atB, above, below, share });
    }
  }
}

/**
 * `atA` and `atB`: cells and channel on the left and right. `start`: position of the first pixel between them, from 0
 * to 1. `step`: distance to the next pixel.
 */
type Span = Columns &
  Pick<CorrectRowInput, 'channels' | 'above' | 'below' | 'share'> &
  Record<'start' | 'step' | 'atA' | 'atB', number>;

/**
 * Corrects part of a row. Runs for every cell of every row. For speed, it reads all parameters before the loop, and
 * repeats the same expression for the four cells: `a` and `b` above, `c` and `d` below.
 */
function correctSpan(row: Samples, { light, slope, bend, protection, white }: Tables, span: Span): void {
  const { from, until, channels, channel, start, step, atA, atB, above, below, share } = span;
  const [left, right] = [effectLength * atA, effectLength * atB];
  const [upper, lower] = [above.effects, below.effects];
  const gainA = (upper[left] as number) * (1 - share);
  const reachA = upper[left + 1] as number;
  const darkA = upper[left + 2] as number;
  const gainB = (upper[right] as number) * (1 - share);
  const reachB = upper[right + 1] as number;
  const darkB = upper[right + 2] as number;
  const gainC = (lower[left] as number) * share;
  const reachC = lower[left + 1] as number;
  const darkC = lower[left + 2] as number;
  const gainD = (lower[right] as number) * share;
  const reachD = lower[right + 1] as number;
  const darkD = lower[right + 2] as number;
  const [darkest, lightest] = [Math.max(darkA, darkB, darkC, darkD), Math.min(reachA, reachB, reachC, reachD)];
  const [gainLeft, gainRight] = [gainA + gainC, gainB + gainD];
  const whiteA = (above.white[atA] as number) * (1 - share) + (below.white[atA] as number) * share;
  const whiteB = (above.white[atB] as number) * (1 - share) + (below.white[atB] as number) * share;
  const keepsWhite = whiteA > 0 || whiteB > 0;
  let position = start;
  for (let i = from * channels + channel; i < until * channels; i += channels, position += step) {
    const sample = row[i] as number;
    const lit = (light[sample] as number) + lightFloor;
    let change: number;
    if (lit >= darkest && lit <= lightest) change = lit * (gainLeft + (gainRight - gainLeft) * position);
    else {
      const square = lit * lit;
      const inLeft =
        gainA * (lit < darkA ? square / darkA : Math.min(lit, reachA)) +
        gainC * (lit < darkC ? square / darkC : Math.min(lit, reachC));
      const inRight =
        gainB * (lit < darkB ? square / darkB : Math.min(lit, reachB)) +
        gainD * (lit < darkD ? square / darkD : Math.min(lit, reachD));
      change = inLeft + (inRight - inLeft) * position;
    }
    if (keepsWhite && change < 0)
      change *= 1 - (whiteA + (whiteB - whiteA) * position) * (1 - (protection[sample] as number));
    const value = sample + change * ((slope[sample] as number) + change * (bend[sample] as number));
    row[i] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
  }
}
