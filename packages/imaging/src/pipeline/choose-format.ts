import { formatTraits, type InputFormat, type OutputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';

type Size = { width: number; height: number };
type Source = Pick<Inspection, 'format' | 'frames' | 'hasAlpha' | 'isPalette' | 'bitDepth'>;

/**
 * Lossless formats. Their headers don't tell a photo from a screenshot, and JPEG would blur the text of a screenshot.
 */
const losslessFormats: readonly InputFormat[] = ['png', 'gif', 'tiff', 'bmp'];
/** Formats in which cameras store photos. Some photos have 10 bits, which screens and programs hardly use. */
const photoFormats: readonly InputFormat[] = ['heic', 'avif'];

const fitsMaxSide = (format: OutputFormat, { width, height }: Size) =>
  Math.max(width, height) <= formatTraits[format].maxSide;

/**
 * Resolves `auto`: WebP for animations and transparency, PNG for images with a palette, in lossless formats, or with
 * more than 8 bits outside of photo formats, and JPEG for photos. PNG is used if a side is too long for the format.
 */
export function chooseFormat({ format }: Pick<Recipe, 'format'>, source: Source, output: Size): OutputFormat {
  if (format !== 'auto') return format;
  if (source.frames > 1) return 'webp';
  if (source.hasAlpha) return fitsMaxSide('webp', output) ? 'webp' : 'png';
  const isDeep = source.bitDepth > 8 && !photoFormats.includes(source.format);
  if (isDeep || source.isPalette || losslessFormats.includes(source.format)) return 'png';
  return fitsMaxSide('jpeg', output) ? 'jpeg' : 'png';
}
