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

/** Light added to every pixel. Otherwise, black couldn't be brightened where the source isn't black. */
const lightFloor = 0.002;
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
/** Maximum of (l + floor) x slope of the sRGB curve, reached at white: 1.002 x 1.055 / 2.4. */
const maxSlope = 0.441;

/**
 * Correction of one row of cells. A pixel of light l changes by `change` x min(1, (l + floor) / reach). The change is
 * proportional to the pixel's light up to `reach`, which is `knee` times the mean light of the cell, plus `floor`. Dark
 * detail in a bright area therefore isn't brightened, and the correction of a dark area has no effect on an adjacent
 * bright one.
 */
export type Correction = { change: Float32Array; reach: Float32Array; white: Float32Array };

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
  const change = reach.map((full, at) => {
    const cell = Math.floor(at / channels);
    const columns = { from: across[cell] as number, until: across[cell + 1] as number, channel: at % channels };
    const wanted = source.light[at] as number;
    const light = measureMeanLight(rows, row, columns);
    const most = maxChange / ((wanted + lightFloor) * slopeAt(wanted));
    return full * Math.min(most, Math.max(-most, (wanted - light) / (light + lightFloor)));
  });
  return { change, reach, white: source.white };
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
 * Corrects one row in place. Interpolates the correction linearly between cells. `share`: weight of the cells below.
 */
export function correctRow(row: Samples, { across, channels, depth, above, below, share }: CorrectRowInput): void {
  const change = mixRows(above.change, below.change, share);
  const reach = mixRows(above.reach, below.reach, share);
  const white = mixRows(above.white, below.white, share);
  const cells = across.length - 1;
  const center = (cell: number) => ((across[cell] as number) + (across[cell + 1] as number)) / 2;
  tables[depth] ??= makeTables(depth);
  const ofDepth = tables[depth];
  const negligible = 0.5 / (maxSlope * ofDepth.white);
  for (let left = -1; left < cells; left++) {
    const [a, b] = [Math.max(0, left), Math.min(cells - 1, left + 1)];
    const from = left < 0 ? 0 : Math.ceil(center(left) - 0.5);
    const until = left + 1 === cells ? (across[cells] as number) : Math.ceil(center(left + 1) - 0.5);
    const distance = Math.max(1, center(b) - center(a));
    const offset = from + 0.5 - center(a);
    for (let channel = 0; channel < channels; channel++) {
      const [atA, atB] = [a * channels + channel, b * channels + channel];
      const [changeA, changeB] = [change[atA] as number, change[atB] as number];
      const [reachA, reachB] = [reach[atA] as number, reach[atB] as number];
      // If `change` equals `reach`, a sample moves by at most `maxSlope` x white. Skips changes that move samples by
      // less than half a value.
      if (Math.max(Math.abs(changeA), Math.abs(changeB)) < negligible * Math.min(reachA, reachB)) continue;
      const changeStep = (changeB - changeA) / distance;
      const reachStep = (reachB - reachA) / distance;
      const whiteStep = ((white[atB] as number) - (white[atA] as number)) / distance;
      const start = {
        change: changeA + changeStep * offset,
        reach: reachA + reachStep * offset,
        white: (white[atA] as number) + whiteStep * offset,
      };
      correctSpan(row, ofDepth, { from, until, channel, channels, start, changeStep, reachStep, whiteStep });
    }
  }
}

/** Interpolates between two rows of cells. Runs for every row, so it avoids a callback for every cell. */
function mixRows(above: Float32Array, below: Float32Array, share: number): Float32Array {
  const mixed = new Float32Array(above.length);
  for (let at = 0; at < mixed.length; at++)
    mixed[at] = (above[at] as number) * (1 - share) + (below[at] as number) * share;
  return mixed;
}

type Span = Columns & {
  channels: number;
  start: { change: number; reach: number; white: number };
  changeStep: number;
  reachStep: number;
  whiteStep: number;
};

/** Corrects part of a row. Runs for every cell of every row, so it avoids rest and spread syntax for speed. */
function correctSpan(row: Samples, { light, slope, bend, protection, white }: Tables, span: Span): void {
  const { from, until, channels, channel, start, changeStep, reachStep, whiteStep } = span;
  let { change: asked, reach, white: kept } = start;
  const isKept = kept > 0 || whiteStep > 0;
  for (let i = from * channels + channel; i < until * channels; i += channels) {
    const sample = row[i] as number;
    const free = isKept && asked < 0 ? 1 - kept * (1 - (protection[sample] as number)) : 1;
    const change = free * asked * Math.min(1, ((light[sample] as number) + lightFloor) / reach);
    const value = sample + change * ((slope[sample] as number) + change * (bend[sample] as number));
    row[i] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
    asked += changeStep;
    reach += reachStep;
    kept += whiteStep;
  }
}
