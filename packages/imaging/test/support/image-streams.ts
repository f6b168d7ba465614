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
