import type { OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Sharp } from 'sharp';

export type Encoder = (image: Sharp, settings: EncoderSettings) => Sharp;
export type EncoderSettings = {
  output: ImagePlan['output'];
  quality: number;
  /** 1 grey, 2 grey and alpha, 3 RGB, 4 RGBA. */
  channels: number;
  /** Smallest file at any cost in time, for a target size. */
  isTight: boolean;
};

/** Maximum memory of JPEG coefficients. Optimized Huffman tables, scans, and trellis quantization need all of them. */
const maxCoefficientBytes = 200_000_000;
/** From this quality, chroma subsampling is visible. */
const fullColorQuality = 90;
/** Above this, the first WebP partition overflows at effort 3 and high quality, and libwebp starts over: slower and larger. */
const maxSlowWebp = 16_000_000;
/** Up to this many pixels, AVIF uses a slower search with 6% smaller files. */
const maxSlowAvif = 4_000_000;
/** Classic TIFF is limited to 4 GB. Compressed noise can be larger than raw pixels. */
const maxClassicTiff = 3_000_000_000;

/** 72 per inch. */
const dotsPerMillimeter = 72 / 25.4;

const chroma = (quality: number) => (quality >= fullColorQuality ? '4:4:4' : '4:2:0');
const area = ({ width, height }: ImagePlan['output']) => width * height;

/** Trellis quantization and progressive scans make files 13-24% smaller at 12-30 MP/s instead of 300 MP/s. */
const jpeg: Encoder = (image, { output, quality, channels }) => {
  const bytesPerPixel = channels < 3 ? 4 : quality >= fullColorQuality ? 12 : 6;
  const fits = area(output) * bytesPerPixel <= maxCoefficientBytes;
  return image.jpeg({
    quality,
    chromaSubsampling: chroma(quality),
    quantizationTable: 3,
    ...{ progressive: fits, optimizeCoding: fits, trellisQuantization: fits, overshootDeringing: fits },
    optimizeScans: false,
  });
};

/**
 * PNG: filtered rows at zlib level 3 take half the size of unfiltered level 6 in the same time. Level 6 saves 3-6% more in
 * twice the time. WebP: effort 3 gains 0.4 dB over 2 at 12 MP/s, effort 4 gains nothing more. AVIF: effort 2 gains nothing over
 * 1, effort 4 takes a second for 0.4 MP. TIFF: LZW is the most compatible, deflate is 6-12% smaller at half the speed. GIF:
 * duplicate frames are kept.
 */
export const encoders: Record<OutputFormat, Encoder> = {
  png: (image, { isTight }) => image.png({ compressionLevel: isTight ? 9 : 3, adaptiveFiltering: true }),
  jpeg,
  webp: (image, { quality, output }) => image.webp({ quality, effort: area(output) <= maxSlowWebp ? 3 : 2 }),
  avif: (image, { quality, output }) =>
    image.avif({ quality, chromaSubsampling: chroma(quality), effort: area(output) <= maxSlowAvif ? 3 : 1 }),
  tiff: (image, { isTight, output, channels }) =>
    image.tiff({
      compression: isTight ? 'deflate' : 'lzw',
      predictor: 'horizontal',
      ...{ resolutionUnit: 'inch', xres: dotsPerMillimeter, yres: dotsPerMillimeter },
      bigtiff: (area(output) * channels * output.bitDepth) / 8 > maxClassicTiff,
    }),
  gif: (image, { isTight }) => image.gif({ effort: isTight ? 10 : 3, keepDuplicateFrames: true }),
};
