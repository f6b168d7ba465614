import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { variantFile } from '@uprez/contracts/schemas/child-messages';
import { showCanvas } from '../canvas/show-canvas.ts';
import { guardedSharp } from '../decoders.ts';

const webp = { quality: 82, effort: 4 };

/**
 * Writes an image as WebP in each of these widths: upright, in sRGB, with transparency and frames, without metadata. Throws
 * `corrupt_image` if the pixels can't be decoded.
 */
export async function makeVariants(file: Buffer, { dir, widths }: { dir: string; widths: readonly number[] }) {
  const options = { failOn: 'error', limitInputPixels: limits.inputPixels } as const;
  try {
    const shown = showCanvas(file);
    const { pages = 1 } = await guardedSharp(shown, options).metadata();
    const isAnimated = pages > 1;
    for (const width of widths) {
      const source = guardedSharp(shown, { ...options, animated: isAnimated });
      // Viewers ignore the orientation of animations.
      const upright = isAnimated ? source : source.autoOrient();
      await upright
        .resize({ width, withoutEnlargement: true })
        .toColorspace('srgb')
        .webp(webp)
        .toFile(join(dir, variantFile(width)));
    }
  } catch (cause) {
    throw new AppError('corrupt_image', { cause });
  }
}
