import type { ImagePlan } from '@uprez/contracts/image-plan';
import { findBlob, openVipsFile } from '../rows/vips-file.ts';
import { type Decoded, decode, decodeHeld } from './decode.ts';
import { isHeld } from './hold-pixels.ts';
import { labelAsTiff } from './label-as-tiff.ts';
import type { Pixels } from './open-pixels.ts';

/** `trailer`: as in `rows/vips-file.ts`, where the decoder left one. `pixels.rows` are to be closed. */
export type Shrunk = Decoded & { pixels: Pixels; trailer: string | undefined };

/** Decode straight to the output's size: into memory where that is small, otherwise to `path`. Throws as `decode`. */
export async function decodeShrunk(file: Buffer, plan: ImagePlan, path: string): Promise<Shrunk> {
  return isHeld(plan) ? { ...(await decodeHeld(file, plan)), trailer: undefined } : decodeToDisk(file, plan, path);
}

/** The same to `path`, whatever its size. */
export async function decodeToDisk(file: Buffer, plan: ImagePlan, path: string): Promise<Shrunk> {
  const decoded = await decode(file, plan, path);
  const { trailer, ...rows } = await openVipsFile(path);
  const { width, height, channels, depth } = rows;
  const icc = findBlob(trailer, 'icc-profile-data');
  try {
    await labelAsTiff(path, { width, height, channels, depth, frames: plan.output.frames, icc });
    return { ...decoded, pixels: { input: path, rows, icc }, trailer };
  } catch (error) {
    await rows.close();
    throw error;
  }
}
