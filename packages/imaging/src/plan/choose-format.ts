import { formatTraits, type OutputFormat } from '@uprez/contracts/policy/image-formats';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';

type Size = { width: number; height: number };

const holds = (format: OutputFormat, { width, height }: Size) =>
  Math.max(width, height) <= formatTraits[format].maxSide;

/**
 * `auto`: animations and transparency as WebP (PNG where WebP is too small), drawings and 16-bit images as PNG,
 * photos as JPEG. Other formats are taken as asked.
 */
export function chooseFormat({ format }: Recipe, source: Inspection, output: Size): OutputFormat {
  if (format !== 'auto') return format;
  if (source.frames > 1) return 'webp';
  if (source.hasAlpha) return holds('webp', output) ? 'webp' : 'png';
  if (source.isPalette || source.bitDepth > 8) return 'png';
  return holds('jpeg', output) ? 'jpeg' : 'png';
}
