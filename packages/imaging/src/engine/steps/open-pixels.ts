import { limits } from '@uprez/contracts/policy/limits';
import type { Sharp } from 'sharp';
import { guardedSharp } from '../../decoders.ts';
import type { RowFile } from '../rows/row-file.ts';

/** `path`: a TIFF written by the engine, profile included. `rows`: the same pixels. */
export type Pixels = { path: string; rows: RowFile; icc: Buffer | undefined };

/** Open finished pixels for sequential reading, with their channels, depth, profile, and frames. */
export function openPixels({ path, rows }: Pick<Pixels, 'path' | 'rows'>, frames: number): Sharp {
  // Without a color space, sharp writes grey as three channels.
  const names = rows.channels < 3 ? { 8: 'b-w', 16: 'grey16' } : { 8: 'srgb', 16: 'rgb16' };
  return guardedSharp(path, {
    limitInputPixels: limits.outputPixels,
    sequentialRead: true,
    failOn: 'error',
    pages: frames,
  })
    .toColorspace(names[rows.depth])
    .keepIccProfile();
}
