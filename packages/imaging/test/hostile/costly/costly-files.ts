import { processFile } from '../../support/run-job.ts';
import { makeAnimatedWebp, makeGif } from '../animations.ts';
import { makeAvifGrid, makeCroppedHeic } from './heif.ts';
import { everyScan, makeProgressiveJpeg } from './jpeg.ts';
import { makeJxlOfFrames } from './jxl.ts';
import { makeNoise } from './noise.ts';
import { makeDeepPng, makePngOfBlocks } from './png.ts';
import { makeLabTiff, makeTiffOfBlocks, makeTiffOfScans } from './tiff.ts';

/** `output`: a format whose result has all frames. */
export type CostlyFile = { format: string; what: string; output?: 'webp'; make: () => Buffer | Promise<Buffer> };

const megabyte = 1e6;

/** Valid files of at most 50 MB that take decoders longest for their size or for their pixels. */
export const costlyFiles: readonly CostlyFile[] = [
  {
    format: 'JPEG',
    what: '100 scans of 100 megapixels',
    make: () => makeProgressiveJpeg({ width: 10_000, height: 10_000, components: 1, scans: everyScan(1, 100) }),
  },
  {
    format: 'JPEG',
    what: '800 scans of 0.1 megapixels',
    make: () => makeProgressiveJpeg({ width: 320, height: 320, components: 1, scans: everyScan(1, 800) }),
  },
  {
    format: 'JPEG',
    what: 'noise at the highest quality, progressive',
    make: () => makeNoise(3_500).jpeg({ quality: 100, progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  },
  { format: 'PNG', what: '100 megapixels of 4 x 16 bits', make: () => makeDeepPng(10_000) },
  {
    format: 'PNG',
    what: '49 megapixels of 4 x 16 bits, interlaced',
    make: () => makeDeepPng(7_000, { isInterlaced: true }),
  },
  { format: 'PNG', what: '50 MB of compressed data without pixels', make: () => makePngOfBlocks(49 * megabyte) },
  { format: 'TIFF', what: '25 megapixels of Lab colors', make: () => makeLabTiff(5_000) },
  { format: 'TIFF', what: '100 tiles with the same 300 scans', make: () => makeTiffOfScans({}) },
  { format: 'TIFF', what: '100 rows with the same codes', make: () => makeTiffOfBlocks({ sizeBytes: megabyte }) },
  {
    format: 'WebP',
    what: 'noise at the highest quality',
    make: () => makeNoise(2_000, 4).webp({ quality: 100, effort: 0 }).toBuffer(),
  },
  {
    format: 'WebP',
    what: '49 frames of 1 megapixel',
    output: 'webp',
    make: async () => {
      const still = await makeNoise(1_000, 4).webp({ lossless: true, effort: 0 }).toBuffer();
      return makeAnimatedWebp(still, {
        width: 1_000,
        height: 1_000,
        frames: Math.min(49, Math.floor((49 * megabyte) / still.length)),
      });
    },
  },
  {
    format: 'AVIF',
    what: '64 tiles of 4 megapixels, of which it shows a part',
    make: () => makeAvifGrid({ side: 2_048, across: 8, shown: 64 }),
  },
  {
    format: 'AVIF',
    what: 'noise without losses',
    make: () => makeNoise(1_500).avif({ effort: 0, lossless: true, chromaSubsampling: '4:4:4' }).toBuffer(),
  },
  {
    format: 'GIF',
    what: '1,000 frames of 0.05 megapixels',
    output: 'webp',
    make: () => makeGif({ width: 220, height: 220, frames: 1_000 }),
  },
  { format: 'JPEG XL', what: '100 frames, of which it shows the last', make: () => makeJxlOfFrames(100) },
  {
    format: 'JPEG XL',
    what: 'noise without losses',
    make: async () => {
      const noise = await makeNoise(1_500).png().toBuffer();
      return (await processFile(noise, { scaleFactor: 1, format: 'jxl', quality: 100 })).result;
    },
  },
  {
    format: 'HEIC',
    what: '1,936 tiles, of which it shows a pixel',
    make: () => makeCroppedHeic({ columns: 44, rows: 44 }),
  },
];
