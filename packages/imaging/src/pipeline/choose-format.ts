import {
  formatTraits,
  type InputFormat,
  type OutputFormat,
  optionallyLosslessFormats,
} from '@uprez/contracts/policy/images/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';

type Size = { width: number; height: number };
type Source = Pick<Inspection, 'format' | 'frames' | 'hasAlpha' | 'isPalette' | 'bitDepth'>;

/**
 * Lossless formats. `auto` doesn't choose JPEG for them, because their headers don't distinguish a photo from a
 * screenshot, and JPEG would blur the text in a screenshot.
 */
const losslessFormats: readonly InputFormat[] = ['png', 'gif', 'tiff', 'bmp'];
/**
 * Formats in which cameras store photos. Depths of more than 8 bits are ignored for these formats, because screens and
 * programs hardly use the 10 bits that some photos have.
 */
const photoFormats: readonly InputFormat[] = ['heic', 'avif'];

const fitsMaxSide = (format: OutputFormat, { width, height }: Size) =>
  Math.max(width, height) <= formatTraits[format].maxSide;

/**
 * Maximum pixels of an image that `auto` makes lossless WebP. Larger images take more than 16 seconds and 720 MB to
 * encode.
 */
const maxLosslessWebpPixels = 16_000_000;

/** Whether an image becomes WebP if its pixels or its alpha must be kept exactly. WebP has 8 bits. */
const fitsLosslessWebp = ({ bitDepth }: Source, { width, height }: Size) =>
  bitDepth === 8 && width * height <= maxLosslessWebpPixels;

type ExactOptions = Pick<Recipe, 'engine' | 'alpha'>;

/** Whether pixels or alpha must be kept exactly, for an image with an alpha channel. */
const isExact = ({ engine, alpha }: ExactOptions) => engine === 'nearest' || alpha === 'data';

/** Whether a result is made lossless although its format is lossy. `alpha`: absent if the image has no alpha channel. */
export const makesLossless = (options: ExactOptions, format: OutputFormat): boolean =>
  isExact(options) && optionallyLosslessFormats.includes(format);

/**
 * Resolves `auto`. Animations and images with transparency become WebP, but images whose pixels or alpha must be kept
 * exactly become PNG if they are large or have more than 8 bits. Images become PNG if they have a palette, if
 * they are in a lossless format, or if they have more than 8 bits and aren't in a photo format. Other images become
 * JPEG, or PNG if `nearest` repeats their pixels. CMYK results become JPEG, or TIFF if a side is too long. If a side of a still image is too long for WebP or JPEG, the image becomes PNG.
 */
export function chooseFormat(
  { format, engine, alpha, printProfile }: Pick<Recipe, 'format' | 'engine' | 'alpha' | 'printProfile'>,
  source: Source,
  output: Size,
): OutputFormat {
  if (format !== 'auto') return format;
  if (printProfile !== undefined) return fitsMaxSide('jpeg', output) ? 'jpeg' : 'tiff';
  if (source.frames > 1) return 'webp';
  if (source.hasAlpha) {
    const fits = !isExact({ engine, alpha }) || fitsLosslessWebp(source, output);
    return fits && fitsMaxSide('webp', output) ? 'webp' : 'png';
  }
  if (engine === 'nearest') return 'png';
  const isDeep = source.bitDepth > 8 && !photoFormats.includes(source.format);
  if (isDeep || source.isPalette || losslessFormats.includes(source.format)) return 'png';
  return fitsMaxSide('jpeg', output) ? 'jpeg' : 'png';
}
