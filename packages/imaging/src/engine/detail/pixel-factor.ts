import type { Band } from './tile-meter.ts';

const maxFactor = 8;
/** Rows and columns at which pixels change, from which squares are told from a few straight lines. */
const minChanges = 8;

const greatestDivisor = (a: number, b: number): number => (b === 0 ? a : greatestDivisor(b, a % b));

/**
 * Finds the factor of images that were upscaled without interpolation: the largest one up to 8 for which all pixels
 * form squares of that side. Costs a few comparisons on other images.
 */
export function makeSquareFinder({ width, height, channels }: { width: number; height: number; channels: number }) {
  let divisor = greatestDivisor(width, height);
  let rowChanges = 0;
  const changedColumns = new Set<number>();
  const rowLength = width * channels;
  return {
    /** Compares the rows from `top` to `bottom` with their neighbors. */
    add({ rows, firstRow }: Pick<Band, 'rows' | 'firstRow'>, { top, bottom }: { top: number; bottom: number }): void {
      for (let y = top; y < bottom && divisor > 1; y++) {
        const start = (y - firstRow) * rowLength;
        const isNew = y > 0 && differs(rows, { start, length: rowLength, distance: rowLength });
        if (isNew) {
          divisor = greatestDivisor(divisor, y);
          rowChanges++;
        }
        if (y > 0 && !isNew) continue;
        for (let x = 1; x < width && divisor > 1; x++)
          if (differs(rows, { start: start + x * channels, length: channels, distance: channels })) {
            divisor = greatestDivisor(divisor, x);
            if (changedColumns.size < minChanges) changedColumns.add(x);
          }
      }
    },
    /** Returns the factor, or undefined if it is 1. */
    find(): number | undefined {
      if (rowChanges < minChanges || changedColumns.size < minChanges) return undefined;
      for (let factor = maxFactor; factor > 1; factor--) if (divisor % factor === 0) return factor;
      return undefined;
    },
  };
}

type Span = { start: number; length: number; distance: number };

/** Whether samples differ from those `distance` before them. */
function differs(rows: Band['rows'], { start, length, distance }: Span): boolean {
  for (let i = start; i < start + length; i++) if (rows[i] !== rows[i - distance]) return true;
  return false;
}
