import { makeSamples, type RowStream } from './row-stream.ts';

/** Rows taken from upstream at a time. */
const chunkRows = 16;

/** Rows one at a time as floats, valid until the next call; both depths become one kind of array for the loops behind. */
export type FloatRows = () => Promise<Float32Array>;

export function openFloatRows(source: RowStream): FloatRows {
  const row = new Float32Array(source.width * source.channels);
  let chunk = makeSamples(source.depth, 0);
  let chunkAt = 0;
  let loaded = 0;
  return async () => {
    if (chunkAt === chunk.length) {
      const count = Math.min(chunkRows, source.height - loaded);
      chunk = await source.read(count);
      chunkAt = 0;
      loaded += count;
    }
    row.set(chunk.subarray(chunkAt, chunkAt + row.length));
    chunkAt += row.length;
    return row;
  };
}
