import type { StripLayout } from '@uprez/models/streaming/lay-out-strip';
import { measureStrip } from '@uprez/models/streaming/measure-strip';
import { columnCountOf } from '@uprez/models/streaming/row-nodes';
import { countRows, type Lag, rangeOf, rowCountAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import type { StripTensors } from './strip-tensor.ts';

/**
 * A band of columns. `columns`: described like the rows of a strip, so its `height` is the width of the image, and its
 * end is Infinity for the last band. `next`: the band to the right. `pass`: passes columns to the next band. `part`:
 * index of the network part that is running.
 */
export type Band = { columns: Strip; next: Strip; pass: PassColumns; part: number };

/**
 * Prepares a band to receive columns from the previous band and to pass columns to the next one. `names`: names of the
 * outputs that contain passed columns.
 */
export type PassColumns = (
  layout: StripLayout,
  columns: StripColumns,
  band: Band,
) => {
  names: string[];
  take: (strip: Strip, index: number) => Promise<StripTensors>;
  pass: (index: number, outputs: StripTensors) => Promise<void>;
};

/**
 * Column counts of the input, of each history, and of each tensor of late rows. `cuts`: column cuts, or undefined for
 * the full width.
 */
export type StripColumns = {
  input: number;
  histories: number[];
  late: number[];
  cuts: number[] | undefined;
  /**
   * For each of `layout.columns`: the number of columns from the band to the left, and the number of columns beyond the
   * newest one.
   */
  sides: { left: number; right: number }[];
};

/** Computes the column counts for a network that runs on the full width or in a band. */
export function measureColumns(layout: StripLayout, width: number, band: Band | undefined): StripColumns {
  const { network, histories, lateRows, columns, cutCount } = layout;
  if (!band)
    return {
      input: columnCountOf(network.input, width),
      histories: histories.map(({ tensor }) => columnCountOf(tensor, width)),
      late: lateRows.map(({ tensor }) => columnCountOf(tensor, width)),
      ...{ cuts: undefined, sides: [] },
    };
  const count = (lag: Lag) => countRows(rangeOf(lag, band.columns), lag);
  const measured = measureStrip({ histories: columns, cutCount }, band.columns, band.next);
  const sides = measured.histories.map(({ before, behind }) => ({ left: before, right: behind }));
  return {
    input: count({ scale: network.input.scale, delay: 0 }),
    histories: histories.map(({ tensor: { scale }, delay }, i) => {
      const { left = 0, right = 0 } = sides[i] ?? {};
      return left + count({ scale, delay }) + right;
    }),
    late: lateRows.map(({ tensor: { scale }, readDelay }) => count({ scale, delay: readDelay })),
    cuts: measured.cuts,
    sides,
  };
}

/** Returns the band for the next part of the network, which reads the output of this part. */
export function followBand({ output }: StripLayout, band: Band): Band {
  const { height } = band.columns;
  const isLast = band.next.before === Number.POSITIVE_INFINITY;
  const before = rowCountAfter(output, band.columns.before, height);
  const now = isLast ? Number.POSITIVE_INFINITY : rowCountAfter(output, band.columns.now, height);
  const next = isLast ? now : rowCountAfter(output, band.next.now, height);
  const end = band.next.now === Number.POSITIVE_INFINITY ? Number.POSITIVE_INFINITY : next;
  return { ...band, part: band.part + 1, columns: { height, before, now }, next: { height, before: now, now: end } };
}
