import { type Plane, readPlane } from './planes.ts';
import { type Band, cellSide, tileSide } from './tile-meter.ts';

/** Sums over the cells of a row of blocks, row by row: squares of second differences, and of gradients. */
export type CellSums = { across: number; fine: Float32Array; coarse: Float32Array };

export function makeCellSums(width: number, blockSide: number): CellSums {
  // Tiles at the right border are whole.
  const across = (Math.ceil(width / tileSide) * tileSide) / cellSide;
  const length = (across * blockSide) / cellSide;
  return { across, fine: new Float32Array(length), coarse: new Float32Array(length) };
}

/**
 * Sums every second row from `top` to `bottom` of a plane. Every pixel contributes, because the differences include the
 * rows above and below. The border of the area is left out.
 */
export function scanCells(band: Band, plane: Plane, { top, bottom, sums }: Scan): void {
  const { area, width } = band;
  sums.fine.fill(0);
  sums.coarse.fill(0);
  const buffers = [new Float32Array(width), new Float32Array(width), new Float32Array(width)] as const;
  const load = (y: number, target: Float32Array) => {
    const from = (y - band.firstRow) * width * plane.channels;
    readPlane(band.rows, plane, { from, count: width, target, at: 0 });
  };
  let [up, row, down] = buffers;
  let loaded = -1;
  for (let y = top; y < bottom; y += 2) {
    if (y <= area.top || y >= area.bottom - 1) continue;
    if (loaded === y - 1) [up, down] = [down, up];
    else load(y - 1, up);
    load(y, row);
    load(y + 1, down);
    loaded = y + 1;
    const at = Math.floor((y - top) / cellSide) * sums.across;
    addRow({ up, row, down }, { left: area.left + 1, right: area.right - 1, at, sums });
  }
}

type Scan = { top: number; bottom: number; sums: CellSums };
type Rows = { up: Float32Array; row: Float32Array; down: Float32Array };
type Target = { left: number; right: number; at: number; sums: CellSums };

function addRow({ up, row, down }: Rows, { left, right, at, sums }: Target): void {
  const { fine, coarse } = sums;
  for (let x = left; x < right; ) {
    const cell = at + Math.floor(x / cellSide);
    const end = Math.min(right, (Math.floor(x / cellSide) + 1) * cellSide);
    let [second, first] = [0, 0];
    for (; x < end; x++) {
      const [before, after] = [row[x - 1] as number, row[x + 1] as number];
      const [above, below] = [up[x] as number, down[x] as number];
      const double = 2 * (row[x] as number);
      const a = double - before - after;
      const b = double - above - below;
      const c = after - before;
      const d = below - above;
      second += a * a + b * b;
      first += c * c + d * d;
    }
    fine[cell] = (fine[cell] as number) + second;
    coarse[cell] = (coarse[cell] as number) + first;
  }
}
