import type { Samples } from '../../engine/rows/row-stream.ts';
import type { Pixels } from './encode-image.ts';
import type { Region } from './find-detail.ts';

/** Some rows of an image, from row `y` on. */
export type Band = { y: number; width: number; channels: number; rows: Samples };

/** A crop whose pixels are still to come. */
export const makeCrop = ({ width, height }: Region, channels: number): Pixels => ({
  ...{ width, height, channels },
  data: new Uint8Array(width * height * channels),
});

/** Copy what a band of rows has of a region into its crop. */
export function cutRows({ y, width, channels, rows }: Band, region: Region, crop: Pixels): void {
  const count = rows.length / (width * channels);
  const from = Math.max(y, region.top);
  const until = Math.min(y + count, region.top + region.height);
  const length = region.width * channels;
  for (let row = from; row < until; row++) {
    const start = ((row - y) * width + region.left) * channels;
    crop.data.set(rows.subarray(start, start + length), (row - region.top) * length);
  }
}
