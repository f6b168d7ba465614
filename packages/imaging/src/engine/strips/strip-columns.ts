import type { StripLayout } from '@uprez/models/streaming/lay-out-strip';
import { measureStrip } from '@uprez/models/streaming/measure-strip';
import { columnCountOf } from '@uprez/models/streaming/row-nodes';
import { countRows, type Lag, rangeOf, rowCountAfter, type Strip } from '@uprez/models/streaming/row-ranges';
import type { StripTensors } from './strip-tensor.ts';

/**
 * A band of columns, described like the rows of a strip: `columns.height` is the width of the image, and the last band
 * ends at Infinity. `next`: the band to the right. `pass`: passes columns to it. `part`: index of the network part that
 * runs.
 */
export type Band = { columns: Strip; next: Strip; pass: PassColumns; part: number };

/** Starts passing the columns of a band. `names`: names of the outputs with these columns. */
export type PassColumns = (
  layout: StripLayout,
  columns: StripColumns,
  band: Band,
) => {
  names: string[];
  /** Creates the inputs of a strip. */
  take: (strip: Strip, index: number) => Promise<StripTensors>;
  /** Stores the outputs of a strip. */
  pass: (index: number, outputs: StripTensors) => Promise<void>;
};

/**
 * Numbers of columns in the input, each history, and each tensor of late rows. `cuts`: column cuts, undefined for the
 * full width.
 */
export type StripColumns = {
  input: number;
  histories: number[];
  late: number[];
  cuts: number[] | undefined;
  /**
   * For each of `layout.columns`, the number of columns from the band to the left, and of columns beyond the newest.
   */
  sides: { left: number; right: number }[];
};

/** Computes the numbers of columns of a network that runs on the full width, or in a band. */
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
