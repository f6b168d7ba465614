import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { describeHeif } from '../heif/describe-heif.ts';
import { toSourceColor } from './read-source-color.ts';
import type { WorkBudget } from './work-budget.ts';

/** Inspect a HEIC image. Throws AppError `corrupt_image`, `unsupported_format`, or `too_many_pixels`. */
export function inspectHeic(file: Buffer, budget: WorkBudget): Inspection {
  const image = describeHeif(file, () => budget.take('heic'));
  const { stored, alpha, view, colors, isGrey, bitDepth } = image;
  const isTurned = view.orientation > 4;
  const hasAlpha = alpha !== undefined;
  return {
    format: 'heic',
    width: isTurned ? view.area.height : view.area.width,
    height: isTurned ? view.area.width : view.area.height,
    orientation: view.orientation,
    channels: (isGrey ? 1 : 3) + (hasAlpha ? 1 : 0),
    space: isGrey ? 'grey' : 'rgb',
    isPalette: false,
    bitDepth,
    hasAlpha,
    hasProfile: toSourceColor(file, colors).kind !== 'srgb',
    // Tiles are decoded row by row.
    decodesWhole: stored.kind !== 'tiles' || stored.rows === 1 || view.orientation > 2,
    frames: 1,
  };
}
