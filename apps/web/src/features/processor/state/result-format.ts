import type { OutputFormat, RequestedFormat } from '@uprez/contracts/policy/image-formats';
import { chooseFormat } from '@uprez/imaging/plan/choose-format';
import type { Size } from '../../../lib/format/format.ts';
import type { SourceImage } from './image.ts';

/** The format of the result; undefined if it depends on an image that the browser cannot read. */
export function resultFormat(
  format: RequestedFormat,
  image: SourceImage,
  size: Size | undefined,
): OutputFormat | undefined {
  if (format !== 'auto') return format;
  const { traits, frames = 1 } = image;
  return size && traits && chooseFormat({ format }, { ...traits, frames }, size);
}
