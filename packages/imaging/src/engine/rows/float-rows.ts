import { makeSamples, type RowStream } from './row-stream.ts';

/** Rows per read from the source. */
const chunkRows = 16;

/** Returns the next row. It is valid until the next call. */
export type FloatRows = () => Promise<Float32Array>;

/** Read a stream row by row as floats, so that callers need one loop for both depths. */
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
