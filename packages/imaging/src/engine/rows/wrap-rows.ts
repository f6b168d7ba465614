import type { RowFile } from './row-file.ts';
import { makeSamples, type RowStream, type Samples } from './row-stream.ts';

/** The rows of one frame, and the pixels to add on each side. */
type WrapOptions = { firstRow: number; height: number; margin: number };

const modulo = (value: number, length: number) => ((value % length) + length) % length;

/** Streams a frame as a part of a plane that it tiles: `margin` pixels of the opposite border continue each side. */
export function wrapRows(file: RowFile, { firstRow, height, margin }: WrapOptions): RowStream {
  if (margin === 0) return file.stream(firstRow, height);
  const { channels, depth } = file;
  const width = file.width + 2 * margin;
  let next = -margin;
  const read = async (count: number) => {
    const wrapped = makeSamples(depth, count * width * channels);
    for (let done = 0; done < count; ) {
      const from = modulo(next, height);
      const part = Math.min(count - done, height - from);
      const rows = await file.readRows(firstRow + from, part);
      for (let y = 0; y < part; y++) {
        const row = rows.subarray(y * file.width * channels, (y + 1) * file.width * channels);
        wrapRow(row, wrapped.subarray((done + y) * width * channels), { margin, width, channels });
      }
      done += part;
      next += part;
    }
    return wrapped;
  };
  return { width, height: height + 2 * margin, channels, depth, read };
}

type RowFacts = { margin: number; width: number; channels: number };

function wrapRow(row: Samples, target: Samples, { margin, width, channels }: RowFacts): void {
  const length = row.length / channels;
  for (let x = 0; x < width; ) {
    const from = modulo(x - margin, length);
    const part = Math.min(width - x, length - from);
    target.set(row.subarray(from * channels, (from + part) * channels), x * channels);
    x += part;
  }
}
