import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { readBmpHeader } from './read-bmp-header.ts';

/** Inspect a BMP. Throws AppError `corrupt_image` or `unsupported_format`. */
export function inspectBmp(file: Buffer): Inspection {
  const header = readBmpHeader(file);
  const channels = countBmpChannels(header);
  return {
    format: 'bmp',
    width: header.width,
    height: header.height,
    orientation: 1,
    channels,
    space: channels === 1 ? 'grey' : 'rgb',
    isPalette: header.bits <= 8 && channels > 1,
    bitDepth: 8,
    hasAlpha: channels === 4,
    hasProfile: false,
    decodesWhole: true,
    frames: 1,
  };
}

/** 1 for a grey palette, 4 for pixels with alpha, else 3. */
export function countBmpChannels({ bits, palette, masks }: ReturnType<typeof readBmpHeader>): 1 | 3 | 4 {
  if (bits > 8) return masks.alpha === 0 ? 3 : 4;
  return palette.every((sample, i) => sample === palette[i - (i % 3)]) ? 1 : 3;
}
