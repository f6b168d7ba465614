import type { RowStream, Samples } from '../../engine/rows/row-stream.ts';

export type Difference = {
  /** Absolute difference of every sample, times `gain`, at most 255. */
  rows: RowStream;
  /** Mean absolute difference of what has been read, levels of 255. */
  mean: () => number;
};
type Subtraction = {
  gain: number;
  /** Sees the rows of both streams as they pass. */
  onRows: (y: number, a: Samples, b: Samples) => void;
};

/** Subtract two streams of one size and as many channels. */
export function subtractRows(a: RowStream, b: RowStream, { gain, onRows }: Subtraction): Difference {
  let y = 0;
  let sum = 0;
  let samples = 0;
  const read = async (count: number) => {
    const [left, right] = [await a.read(count), await b.read(count)];
    onRows(y, left, right);
    y += count;
    samples += left.length;
    const rows = new Uint8ClampedArray(left.length);
    for (let i = 0; i < left.length; i++) {
      const difference = Math.abs((left[i] as number) - (right[i] as number));
      sum += difference;
      rows[i] = difference * gain;
    }
    return new Uint8Array(rows.buffer);
  };
  return { rows: { ...a, read }, mean: () => sum / Math.max(1, samples) };
}
