import { makeSamples, type RowStream } from './row-stream.ts';

type Area = { left: number; top: number; width: number; height: number };

/** The part of a stream that an area covers. */
export function cropRows(source: RowStream, { left, top, width, height }: Area): RowStream {
  const { channels, depth } = source;
  if (width === source.width && height === source.height) return source;
  let isAtTop = top === 0;
  const read = async (count: number) => {
    if (!isAtTop) await source.read(top);
    isAtTop = true;
    const rows = await source.read(count);
    const cropped = makeSamples(depth, count * width * channels);
    for (let y = 0; y < count; y++) {
      const from = (y * source.width + left) * channels;
      cropped.set(rows.subarray(from, from + width * channels), y * width * channels);
    }
    return cropped;
  };
  return { width, height, channels, depth, read };
}
