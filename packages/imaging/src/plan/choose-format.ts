import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';

type Size = { width: number; height: number };
type Source = Pick<Inspection, 'frames' | 'hasAlpha' | 'isPalette' | 'bitDepth'>;

const fits = (format: OutputFormat, { width, height }: Size) => Math.max(width, height) <= formatTraits[format].maxSide;

/** `auto` is WebP for animations and transparency, PNG for drawings and 16-bit images, and JPEG for photos. */
export function chooseFormat({ format }: Pick<Recipe, 'format'>, source: Source, output: Size): OutputFormat {
  if (format !== 'auto') return format;
  if (source.frames > 1) return 'webp';
  if (source.hasAlpha) return fits('webp', output) ? 'webp' : 'png';
  if (source.isPalette || source.bitDepth > 8) return 'png';
  return fits('jpeg', output) ? 'jpeg' : 'png';
}
