import { limits } from '@uprez/contracts/policy/limits';
import type { Sharp } from 'sharp';
import { guardedSharp } from '../../decoders.ts';
import type { RowFile } from '../rows/row-file.ts';
import type { Depth } from '../rows/row-stream.ts';

/** `path`: a TIFF written by the engine, including the ICC profile. `rows`: the pixels of that file. */
export type Pixels = { path: string; rows: RowFile; icc: Buffer | undefined };

/** Returns libvips' name for a color space. If none is set, sharp writes gray as three channels. */
export const colorSpaceName = (isGray: boolean, depth: Depth) =>
  isGray ? { 8: 'b-w', 16: 'grey16' }[depth] : { 8: 'srgb', 16: 'rgb16' }[depth];

/** Opens finished pixels for sequential reading, with their channels, depth, profile, and frames. */
export function openPixels({ path, rows }: Pick<Pixels, 'path' | 'rows'>, frames: number): Sharp {
  return guardedSharp(path, {
    limitInputPixels: limits.outputPixels,
    sequentialRead: true,
    failOn: 'error',
    pages: frames,
  })
    .toColorspace(colorSpaceName(rows.channels < 3, rows.depth))
    .keepIccProfile();
}
