import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { countFrames } from '../../inspect/count-frames.ts';

export const decodeNotes = {
  cmyk: 'The colors were converted from CMYK to sRGB.',
  lab: 'The colors were converted from Lab to sRGB.',
  extraChannels: "The file has channels that aren't transparency, such as masks or spot colors. They were left out.",
  highRange: 'The colors were converted from a high dynamic range to the standard range.',
  profileConverted: "The colors were converted to sRGB because the output format doesn't support color profiles.",
  profileUnusable: 'The color profile is damaged or unsupported and was removed.',
  bitsReduced: 'The bit depth was reduced to 8 bits, the maximum of the output format.',
  firstFrame: 'Only the first frame of the animation was processed.',
  firstPage: 'The file has several pages. Only the first one was processed.',
} as const;

/** Returns a note if the file has more frames or pages than the output. */
export function describeFrames(file: Buffer, { format, frames }: Inspection, output: { frames: number }): string[] {
  const available = format === 'png' || format === 'tiff' ? countFrames(file, format) : frames;
  if (available <= output.frames) return [];
  return [format === 'tiff' ? decodeNotes.firstPage : decodeNotes.firstFrame];
}
