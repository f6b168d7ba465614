import { limits } from '@uprez/contracts/policy/limits';
import type { Sharp } from 'sharp';
import { guardedSharp } from '../../decoders.ts';
import type { RowFile } from '../rows/row-file.ts';
import type { Depth } from '../rows/row-stream.ts';

/**
 * `path`: a TIFF written by the engine, including the ICC profile. `rows`: the pixels of that file. `isCmyk`: whether
 * the 4 channels are inks.
 */
export type Pixels = { path: string; rows: RowFile; icc: Buffer | undefined; isCmyk?: true };

/** Returns libvips' name for a color space. If none is set, sharp writes gray as three channels. */
export const colorSpaceName = (isGray: boolean, depth: Depth) =>
  isGray ? { 8: 'b-w', 16: 'grey16' }[depth] : { 8: 'srgb', 16: 'rgb16' }[depth];

const openOptions = { limitInputPixels: limits.outputPixels, sequentialRead: true, failOn: 'error' } as const;

/** Opens finished pixels for sequential reading, with their channels, depth, profile, and frames. */
export function openPixels({ path, rows, isCmyk }: Pick<Pixels, 'path' | 'rows' | 'isCmyk'>, frames: number): Sharp {
  if (isCmyk) return guardedSharp(path, openOptions).pipelineColorspace('cmyk').toColorspace('cmyk').keepIccProfile();
  return guardedSharp(path, { ...openOptions, pages: frames })
    .toColorspace(colorSpaceName(rows.channels < 3, rows.depth))
    .keepIccProfile();
}

/**
 * Opens finished pixels to convert them to the profile in a file by its perceptual intent. Converts from their own
 * profile directly, because sRGB has fewer greens and cyans than prints.
 */
export const openForPrint = ({ path, rows }: Pick<Pixels, 'path' | 'rows'>, profile: string): Sharp =>
  guardedSharp(path, { ...openOptions, ignoreIcc: true })
    .toColorspace(colorSpaceName(rows.channels < 3, rows.depth))
    .withIccProfile(profile);
