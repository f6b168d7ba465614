import type { RowFile } from '../../src/engine/rows/row-file.ts';
import { makeSamples, type RowStream } from '../../src/engine/rows/row-stream.ts';
import { depthOf, type Image } from './images.ts';

export function streamOf(image: Image): RowStream {
  const { width, height, channels, data } = image;
  let y = 0;
  return {
    width,
    height,
    channels,
    depth: depthOf(image),
    read: async (count) => {
      y += count;
      return data.subarray((y - count) * width * channels, y * width * channels);
    },
  };
}

/** Returns the rows of an image in memory as those of a file. */
export function rowsOf(image: Image): RowFile {
  const { width, height, channels, data } = image;
  const cut = (y: number, count: number) => data.subarray(y * width * channels, (y + count) * width * channels);
  return {
    width,
    height,
    channels,
    depth: depthOf(image),
    readRows: async (y, count) => cut(y, count),
    stream: (y = 0, count = height - y) => streamOf({ ...image, height: count, data: cut(y, count) }),
    close: async () => undefined,
  };
}

export async function readAll(stream: RowStream): Promise<Image> {
  const { width, height, channels, depth } = stream;
  const data = makeSamples(depth, width * height * channels);
  // An odd number of rows at a time crosses the borders of bands and chunks.
  for (let y = 0; y < height; ) {
    const count = Math.min(7, height - y);
    data.set(await stream.read(count), y * width * channels);
    y += count;
  }
  return { width, height, channels: channels as Image['channels'], data };
}
