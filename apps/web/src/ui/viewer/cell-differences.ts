import { deltaE, type Light } from '@uprez/imaging/color/color-difference';
import { toLinear } from '@uprez/imaging/color/srgb';
import type { Size } from '../../lib/format/format.ts';

type Pixels = Uint8ClampedArray;
type Grid = { columns: number; rows: number };
/** CIEDE2000 of the mean colors of cells. */
export type CellDifferences = { mean: number; worst: number };

const light = Float32Array.from({ length: 256 }, (_, sample) => toLinear(sample / 255));

/** Collects the mean colors of two images of one size over a grid, as the engine does for receipts. */
export function makeCellDifferences({ width, height }: Size, { columns, rows }: Grid) {
  const cells = columns * rows;
  const [before, after] = [new Float64Array(3 * cells), new Float64Array(3 * cells)];
  const counts = new Float64Array(cells);
  const addTo = (sums: Float64Array, pixels: Pixels, top: number) => {
    for (let at = 0, pixel = top * width; at < pixels.length; at += 4, pixel++) {
      const row = Math.floor((Math.floor(pixel / width) * rows) / height);
      const cell = row * columns + Math.floor(((pixel % width) * columns) / width);
      for (let c = 0; c < 3; c++)
        sums[3 * cell + c] = (sums[3 * cell + c] as number) + (light[pixels[at + c] as number] as number);
      if (sums === before) counts[cell] = (counts[cell] as number) + 1;
    }
  };
  const colorAt = (sums: Float64Array, cell: number): Light => {
    const mean = (c: number) => (sums[3 * cell + c] as number) / (counts[cell] as number);
    return [mean(0), mean(1), mean(2)];
  };
  return {
    /** Adds rows (RGBA) of both images from `top` on. */
    add: (one: Pixels, other: Pixels, top: number): void => {
      addTo(before, one, top);
      addTo(after, other, top);
    },
    finish: (): CellDifferences => {
      const found = Array.from({ length: cells }, (_, cell) => deltaE(colorAt(before, cell), colorAt(after, cell)));
      return { mean: found.reduce((sum, one) => sum + one, 0) / cells, worst: Math.max(...found) };
    },
  };
}
