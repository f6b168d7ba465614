import { AppError } from '@uprez/contracts/errors/app-error';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { openCodestream } from '../jxl/open-codestream.ts';
import { readJxlHeader } from '../jxl/read-jxl-header.ts';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';
import { unsupportedColors } from './read-error.ts';
import type { WorkBudget } from './work-budget.ts';

/** Inspect a JPEG XL image. Throws AppError `corrupt_image` or `unsupported_format`. */
export function inspectJxl(file: Buffer, budget: WorkBudget): Inspection {
  const header = readJxlHeader(openCodestream(file, { take: () => budget.take('jxl') }));
  const { width, height, orientation, bitDepth, isGrey, hasAlpha, hasProfile } = header;
  if (header.isFloat || header.hasBlack || bitDepth > 16)
    throw new AppError('unsupported_format', { detail: unsupportedColors });
  if (header.isAnimated) throw new AppError('unsupported_format', { detail: describeUnsupported('JPEG XL animation') });
  const isTurned = orientation > 4;
  return {
    format: 'jxl',
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    orientation,
    channels: (isGrey ? 1 : 3) + (hasAlpha ? 1 : 0),
    space: isGrey ? 'grey' : 'rgb',
    isPalette: false,
    bitDepth: Math.max(8, bitDepth),
    hasAlpha,
    hasProfile,
    decodesWhole: true,
    frames: 1,
  };
}
