import { guardedSharp } from '../src/decoders.ts';
import { toSharp } from '../test/support/image-files.ts';
import { makePhoto } from '../test/support/images.ts';

const basis = makePhoto({ width: 800, height: 600 });

/** Returns a JPEG of any size with edges, textures, and camera noise, about 0.3 bytes per pixel. */
export async function makeJpeg(width: number, height: number): Promise<Buffer> {
  const tile = await guardedSharp({
    create: {
      width: 800,
      height: 600,
      channels: 3,
      background: '#000',
      noise: { type: 'gaussian', mean: 128, sigma: 8 },
    },
  })
    .png()
    .toBuffer();
  const grain = await toSharp(basis)
    .composite([{ input: tile, blend: 'soft-light' }])
    .png()
    .toBuffer();
  return guardedSharp({ create: { width, height, channels: 3, background: '#000' }, limitInputPixels: false })
    .composite([{ input: grain, tile: true }])
    .jpeg({ quality: 92, optimizeCoding: false })
    .toBuffer();
}

export const median = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
