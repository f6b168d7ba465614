import { makeSamples, type RowStream } from './row-stream.ts';

/** Stack `count` streams of the same size vertically. Each stream is opened when its first row is read. */
export function stackFrames(count: number, open: (frame: number) => RowStream): RowStream {
  let frame = open(0);
  const { width, height, channels, depth } = frame;
  if (count === 1) return frame;
  const rowLength = width * channels;
  let y = 0;
  const read = async (rows: number) => {
    const stacked = makeSamples(depth, rows * rowLength);
    for (let done = 0; done < rows; ) {
      const inFrame = y % height;
      if (inFrame === 0 && y > 0) frame = open(y / height);
      const part = Math.min(rows - done, height - inFrame);
      stacked.set(await frame.read(part), done * rowLength);
      done += part;
      y += part;
    }
    return stacked;
  };
  return { width, height: height * count, channels, depth, read };
}
