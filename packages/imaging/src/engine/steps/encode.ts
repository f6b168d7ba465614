import { stat } from 'node:fs/promises';
import type { ImagePlan } from '@uprez/contracts/image-plan';
import { limits } from '@uprez/contracts/limits';
import type { Sharp } from 'sharp';
import { guardedSharp } from '../../decoders.ts';

const openPixels = (path: string) =>
  guardedSharp(path, { limitInputPixels: limits.outputPixels, sequentialRead: true, failOn: 'none' });
const paper = '#ffffff';
const pollMs = 500;

/** Above this, JPEG's Huffman tables are the standard ones: its own would need all coefficients in memory at once. */
const maxOwnTables = 16_000_000;

type Output = ImagePlan['output'];
/**
 * PNG: rows filtered, zlib level 3: half the size of unfiltered level 6 in the same time; level 6 saves 6 % more at
 * twice the time. JPEG: full colour resolution from the quality at which it shows, transparent parts on white.
 */
const encoders: Record<Output['format'], (picture: Sharp, output: Output) => Sharp> = {
  png: (picture) => picture.png({ compressionLevel: 3, adaptiveFiltering: true }),
  jpeg: (picture, { quality, width, height }) =>
    picture.flatten({ background: paper }).jpeg({
      quality,
      chromaSubsampling: quality >= 90 ? '4:4:4' : '4:2:0',
      optimiseCoding: width * height <= maxOwnTables,
    }),
  webp: (picture, { quality }) => picture.webp({ quality, effort: 3 }),
  avif: (picture, { quality }) => picture.avif({ quality }),
  tiff: (picture) => picture.tiff({ compression: 'deflate', predictor: 'horizontal' }),
  gif: (picture) => picture.gif(),
};

export type Encoding = { pixels: string; result: string; plan: ImagePlan; report: (share: number) => void };

/**
 * Encode the pixels (a TIFF of ours) as the plan's format, without metadata: sRGB needs no profile. Answers the size
 * of the file in bytes. Throws when the encoder wrote another size than planned.
 */
export async function encode({ pixels, result, plan, report }: Encoding): Promise<number> {
  const { source, output, estimate } = plan;
  const poll = setInterval(() => {
    stat(result).then(
      ({ size }) => report(Math.min(0.99, size / estimate.outputBytes)),
      () => undefined,
    );
  }, pollMs);
  try {
    // Without this, sharp writes grey as three channels.
    const picture = openPixels(pixels).toColourspace(source.channels < 3 ? 'b-w' : 'srgb');
    const written = await encoders[output.format](picture, output).toFile(result);
    if (written.width !== output.width || written.height !== output.height)
      throw new Error(`encoded ${written.width} x ${written.height}, planned ${output.width} x ${output.height}`);
    return (await stat(result)).size;
  } finally {
    clearInterval(poll);
  }
}

/** Write the small picture for lists: WebP, longer side `limits.thumbnailSide`. */
export async function writeThumbnail(pixels: string, path: string): Promise<void> {
  const side = limits.thumbnailSide;
  await openPixels(pixels)
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toFile(path);
}
