import type { Samples } from '../rows/row-stream.ts';
import { type Plane, readPlane } from './planes.ts';

/** Scales at which detail is measured, ascending. */
export const steps = [0.35, 0.5, 0.65, 0.8] as const;
/** Side of the tiles and cells that are measured, in pixels. */
export const [tileSide, cellSide] = [32, 8] as const;
/** Pixels that filters reach beyond a tile. */
export const margin = 9;

const patchSide = tileSide + 2 * margin;
const tileCells = tileSide / cellSide;
export const cellsPerTile = tileCells ** 2;

/** Returns half of the symmetric weights of a Lanczos3 low-pass filter that ends at the share `scale` of the detail. */
function makeLowPass(scale: number): Float32Array {
  const half = Array.from({ length: Math.ceil(3 / scale) }, (_, n) => {
    const x = Math.PI * scale * n;
    return n === 0 ? scale : ((scale * Math.sin(x)) / x) * (Math.sin(x / 3) / (x / 3));
  });
  const sum = half.reduce((total, weight, n) => total + (n === 0 ? weight : 2 * weight), 0);
  return Float32Array.from(half, (weight) => weight / sum);
}

const contrastReach = 8;
/** One filter for each step, and the mean of the surroundings, which local contrast refers to. */
const filters = [...steps.map(makeLowPass), new Float32Array(contrastReach + 1).fill(1 / (2 * contrastReach + 1))];
export const contrastFilter = steps.length;

export type Area = { left: number; top: number; right: number; bottom: number };
/** Rows of an image starting at `firstRow`, and the part of the image in which detail counts. */
export type Band = { rows: Samples; firstRow: number; width: number; area: Area };

/** Measures tiles of 32 x 32 pixels with buffers that all tiles share. */
export function makeTileMeter() {
  const patch = new Float32Array(patchSide ** 2);
  const filtered = new Float32Array(patchSide * tileSide);
  return {
    /** Loads the tile at `left`, `top` with its surroundings. Outside of the area, border pixels repeat. */
    load(band: Band, plane: Plane, { left, top }: { left: number; top: number }): void {
      const { area, firstRow, width } = band;
      const first = Math.max(area.left, left - margin);
      const count = Math.min(area.right, left - margin + patchSide) - first;
      const skipped = first - (left - margin);
      for (let j = 0; j < patchSide; j++) {
        const y = Math.max(area.top, Math.min(area.bottom - 1, top - margin + j));
        const at = j * patchSide;
        const from = ((y - firstRow) * width + first) * plane.channels;
        readPlane(band.rows, plane, { from, count, target: patch, at: at + skipped });
        patch.fill(patch[at + skipped] as number, at, at + skipped);
        patch.fill(patch[at + skipped + count - 1] as number, at + skipped + count, at + patchSide);
      }
    },
    /** Writes the mean square of what a filter removes from each cell of the loaded tile. */
    measure(filter: number, cells: Float32Array, at: number): void {
      const weights = filters[filter] as Float32Array;
      filterAcross(patch, weights, filtered);
      for (let cell = 0; cell < cellsPerTile; cell++)
        cells[at + cell] = sumRemoved(patch, { weights, filtered, cell }) / cellSide ** 2;
    },
  };
}

function filterAcross(patch: Float32Array, weights: Float32Array, filtered: Float32Array): void {
  const reach = weights.length - 1;
  const own = weights[0] as number;
  for (let j = margin - reach; j < patchSide - margin + reach; j++)
    for (let i = 0, p = j * patchSide + margin, to = j * tileSide; i < tileSide; i++, p++, to++) {
      let sum = own * (patch[p] as number);
      for (let k = 1; k <= reach; k++)
        sum += (weights[k] as number) * ((patch[p - k] as number) + (patch[p + k] as number));
      filtered[to] = sum;
    }
}

type Removal = { weights: Float32Array; filtered: Float32Array; cell: number };

function sumRemoved(patch: Float32Array, { weights, filtered, cell }: Removal): number {
  const reach = weights.length - 1;
  const own = weights[0] as number;
  const x = (cell % tileCells) * cellSide;
  const y = Math.floor(cell / tileCells) * cellSide + margin;
  let squares = 0;
  for (let j = y; j < y + cellSide; j++)
    for (let i = x, p = j * tileSide + x; i < x + cellSide; i++, p++) {
      let sum = own * (filtered[p] as number);
      for (let k = 1, step = tileSide; k <= reach; k++, step += tileSide)
        sum += (weights[k] as number) * ((filtered[p - step] as number) + (filtered[p + step] as number));
      const removed = (patch[j * patchSide + margin + i] as number) - sum;
      squares += removed * removed;
    }
  return squares;
}
