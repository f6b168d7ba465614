import type { OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';

export type Encoder = (image: Sharp, settings: EncoderSettings) => Sharp;
export type EncoderSettings = {
  output: ImagePlan['output'];
  quality: number;
  /** Grey, with alpha, RGB, with alpha. */
  channels: number;
  /** Smaller at any cost in time: a file size was asked for. */
  isTight: boolean;
};

/** Memory that JPEG's coefficients may take: only below, its own Huffman tables, scans and trellis are possible. */
const maxCoefficientBytes = 200_000_000;
/** From this quality on, halved colour resolution shows. */
const fullColourQuality = 90;
/** Above, WebP's first partition overflows at effort 3 and high quality, and everything is done again: slower, and larger. */
const maxThoroughWebp = 16_000_000;
/** Up to so many pixels AVIF takes the slower search that makes files 6 % smaller. */
const maxThoroughAvif = 4_000_000;
/** Classic TIFF ends at 4 GB; compressed pixels of noise may be larger than raw ones. */
const maxClassicTiff = 3_000_000_000;

/** 72 an inch. */
const dotsPerMillimetre = 72 / 25.4;

const chroma = (quality: number) => (quality >= fullColourQuality ? '4:4:4' : '4:2:0');
const area = ({ width, height }: ImagePlan['output']) => width * height;

/**
 * JPEG with ImageMagick's quantisation tables (of those in mozjpeg, the smallest files of one difference), where memory
 * allows in progressive scans with trellis quantisation: 13-24 % smaller files of the same quality at 12-30 MP/s, against 300 MP/s.
 */
const jpeg: Encoder = (image, { output, quality, channels }) => {
  const bytesPerPixel = channels < 3 ? 4 : quality >= fullColourQuality ? 12 : 6;
  const fits = area(output) * bytesPerPixel <= maxCoefficientBytes;
  return image.jpeg({
    quality,
    chromaSubsampling: chroma(quality),
    quantisationTable: 3,
    ...{ progressive: fits, optimiseCoding: fits, trellisQuantisation: fits, overshootDeringing: fits },
    optimiseScans: false,
  });
};

/**
 * PNG: filtered rows, zlib level 3: half the size of unfiltered level 6 in the same time; level 6 saves 3-6 % more at
 * twice the time. WebP: effort 3 gains 0.4 dB over 2 at 12 MP/s; 4 saves nothing more. AVIF: effort 2 saves nothing over 1,
 * 4 takes a second for 0.4 MP. TIFF: LZW, which every program reads; deflate is 6-12 % smaller at half the speed. GIF:
 * every frame stays, equal ones too.
 */
export const encoders: Record<OutputFormat, Encoder> = {
  png: (image, { isTight }) => image.png({ compressionLevel: isTight ? 9 : 3, adaptiveFiltering: true }),
  jpeg,
  webp: (image, { quality, output }) => image.webp({ quality, effort: area(output) <= maxThoroughWebp ? 3 : 2 }),
  avif: (image, { quality, output }) =>
    image.avif({ quality, chromaSubsampling: chroma(quality), effort: area(output) <= maxThoroughAvif ? 3 : 1 }),
  tiff: (image, { isTight, output, channels }) =>
    image.tiff({
      compression: isTight ? 'deflate' : 'lzw',
      predictor: 'horizontal',
      ...{ resolutionUnit: 'inch', xres: dotsPerMillimetre, yres: dotsPerMillimetre },
      bigtiff: (area(output) * channels * output.bitDepth) / 8 > maxClassicTiff,
    }),
  gif: (image, { isTight }) => image.gif({ effort: isTight ? 10 : 3, keepDuplicateFrames: true }),
};
