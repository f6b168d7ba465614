import { linearTable } from '../rows/linear-light.ts';
import { type Depth, type Samples, whiteOf } from '../rows/row-stream.ts';
import type { SourceCells } from './colour-cells.ts';

/** Light that every pixel counts as having on top of its own, so that black can be lifted where the source is not black. */
const floor = 0.002;
/** Where the source has white, what is this close to it is darkened less and less. */
const whiteZone = 0.1;
/** Largest share by which light changes. */
const most = { darker: -0.8, lighter: 2 };
/** Light, as a multiple of the cell's mean, from which a pixel's change does not grow with it. */
const knee = 16;

/**
 * One row of cells' correction. A pixel of light l in a cell of mean light m changes by `change` x min(1, (l + floor) /
 * (knee m + floor)): in proportion to its light, but bounded. So dark detail in a bright area is not lifted, and a dark
 * area's correction is nothing to the bright one beside it.
 */
export type Correction = { change: Float32Array; mean: Float32Array; hasWhite: Uint8Array };

/** Of each sample: first and second coefficient of its Taylor series over light; how freely it may darken near white. */
type Tables = { slope: Float32Array; bend: Float32Array; protection: Float32Array };
const tables: Partial<Record<Depth, Tables>> = {};

function tablesOf(depth: Depth): Tables {
  tables[depth] ??= makeTables(depth);
  return tables[depth];
}

function makeTables(depth: Depth): Tables {
  const white = whiteOf(depth);
  const light = linearTable(depth);
  const slope = light.map((l) => (l <= 0.0031308 ? 12.92 : (1.055 / 2.4) * l ** (1 / 2.4 - 1)) * white);
  const bend = light.map((l) => (l <= 0.0031308 ? 0 : (1.055 / 4.8) * (1 / 2.4 - 1) * l ** (1 / 2.4 - 2)) * white);
  return { slope, bend, protection: light.map((l) => Math.min(1, (1 - l) / whiteZone)) };
}

export type CellRow = { across: number[]; channels: number; depth: Depth };

/** The correction that gives the cells of some finished rows the light their source has. */
export function findCorrection(rows: Samples, source: SourceCells, row: CellRow): Correction {
  const { across, channels } = row;
  const change = new Float32Array(source.light.length);
  for (let at = 0; at < change.length; at++) {
    const cell = Math.floor(at / channels);
    const columns = { from: across[cell] as number, until: across[cell + 1] as number, channel: at % channels };
    const protect = source.hasWhite[at] === 1;
    const wanted = source.light[at] as number;
    const { light, reach, whiteReach } = measureCell(rows, row, { ...columns, mean: wanted, protect });
    const missing = wanted - light;
    const full = knee * wanted + floor;
    const asked = missing / (missing < 0 ? whiteReach : reach);
    change[at] = Math.min(most.lighter * full, Math.max(most.darker * full, asked || 0));
  }
  return { change, mean: source.light, hasWhite: source.hasWhite };
}

type Cell = { from: number; until: number; channel: number; mean: number; protect: boolean };

/** Means of one cell and channel: its light; the weight of its pixels; that with white protected, or the same. */
function measureCell(rows: Samples, { across, channels, depth }: CellRow, cell: Cell) {
  const { from, until, channel, mean, protect } = cell;
  const table = linearTable(depth);
  const { protection } = tablesOf(depth);
  const rowLength = (across.at(-1) as number) * channels;
  const full = 1 / (knee * mean + floor);
  let [light, reach, whiteReach] = [0, 0, 0];
  for (let start = 0; start < rows.length; start += rowLength)
    for (let i = start + from * channels + channel; i < start + until * channels; i += channels) {
      const sample = rows[i] as number;
      const l = table[sample] as number;
      const weight = Math.min(1, (l + floor) * full);
      light += l;
      reach += weight;
      if (protect) whiteReach += weight * (protection[sample] as number);
    }
  const count = (rows.length / rowLength) * (until - from);
  return { light: light / count, reach: reach / count, whiteReach: (protect ? whiteReach : reach) / count };
}

export type Correcting = CellRow & { above: Correction; below: Correction; share: number };

/** Correct one row in place. `share` of the correction comes from the cells below, the rest from above; linear across. */
export function correctRow(row: Samples, { across, channels, depth, above, below, share }: Correcting): void {
  const mix = (key: 'change' | 'mean', at: number) =>
    (above[key][at] as number) * (1 - share) + (below[key][at] as number) * share;
  const isWhite = (at: number) => above.hasWhite[at] === 1 || below.hasWhite[at] === 1;
  const cells = across.length - 1;
  const centre = (cell: number) => ((across[cell] as number) + (across[cell + 1] as number)) / 2;
  for (let left = -1; left < cells; left++) {
    const [a, b] = [Math.max(0, left), Math.min(cells - 1, left + 1)];
    const from = left < 0 ? 0 : Math.ceil(centre(left) - 0.5);
    const until = left + 1 === cells ? (across[cells] as number) : Math.ceil(centre(left + 1) - 0.5);
    const distance = Math.max(1, centre(b) - centre(a));
    for (let c = 0; c < channels; c++) {
      const [atA, atB] = [a * channels + c, b * channels + c];
      const line = (key: 'change' | 'mean') => {
        const step = (mix(key, atB) - mix(key, atA)) / distance;
        return { step, start: mix(key, atA) + step * (from + 0.5 - centre(a)) };
      };
      const protect = isWhite(atA) || isWhite(atB);
      correctSpan(row, {
        from,
        until,
        channels,
        channel: c,
        depth,
        change: line('change'),
        mean: line('mean'),
        protect,
      });
    }
  }
}

type Line = { start: number; step: number };
type Span = {
  from: number;
  until: number;
  channels: number;
  channel: number;
  depth: Depth;
  change: Line;
  mean: Line;
  protect: boolean;
};

function correctSpan(
  row: Samples,
  { from, until, channels, channel, depth, change: total, mean, protect }: Span,
): void {
  const { slope, bend, protection } = tablesOf(depth);
  const light = linearTable(depth);
  const white = whiteOf(depth);
  let [asked, surround] = [total.start, knee * mean.start + floor];
  for (let i = from * channels + channel; i < until * channels; i += channels) {
    const sample = row[i] as number;
    const l = light[sample] as number;
    const free = protect && asked < 0 ? (protection[sample] as number) : 1;
    const change = free * asked * Math.min(1, (l + floor) / surround);
    const value = sample + change * ((slope[sample] as number) + change * (bend[sample] as number));
    row[i] = value <= 0 ? 0 : value >= white ? white : value + 0.5;
    asked += total.step;
    surround += knee * mean.step;
  }
}
