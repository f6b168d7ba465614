import { join } from 'node:path';
import { limits } from '@uprez/contracts/policy/limits';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { Sharp } from 'sharp';
import { guardedSharp } from '../../decoders.ts';
import type { RowFile } from '../../engine/rows/row-file.ts';
import { openVipsFile } from '../../engine/rows/vips-file.ts';
import { decode } from '../../engine/steps/decode.ts';
import { inspect } from '../../inspect/inspect.ts';
import { planImage } from '../../plan/plan-image.ts';
import { findCrop } from './find-crop.ts';

const options = { limitInputPixels: false, sequentialRead: true } as const;
const anyTime = {
  maxOutputPixels: limits.outputPixels,
  maxJobSeconds: Number.POSITIVE_INFINITY,
  autoEngine: 'standard',
} as const;

/** Rows for a screen: 8 bits, sRGB, with transparency where there is any. */
async function openRows(image: Sharp, path: string): Promise<RowFile> {
  await image.toColorspace('srgb').toFile(path);
  return openVipsFile(path);
}

type Size = { width: number; height: number };

/**
 * Open a source as the engine reads it: its first image, upright, and only the part that a result of that size shows.
 * `dir` holds the rows meanwhile. Throws AppError as the engine does.
 */
export async function openSourceRows(file: Buffer, result: Size, dir: string): Promise<RowFile> {
  const inspection = await inspect(file);
  const recipe = { ...recipeDefaults, engine: 'standard', scaleFactor: 1 } as const;
  const outcome = planImage({ recipe, inspection, limits: anyTime });
  if (!outcome.ok) throw new Error(outcome.refusal.detail);
  const { plan } = outcome;
  const decoded = join(dir, 'decoded.v');
  await decode(file, { ...plan, crop: findCrop(inspection, result), shrinks: false }, decoded);
  return openRows(guardedSharp(decoded, options), join(dir, 'source.v'));
}

/** Open a result of ours, its first frame. `dir` holds the rows meanwhile. */
export const openResultRows = async (file: Buffer, dir: string): Promise<RowFile> =>
  openRows(guardedSharp(file, options), join(dir, 'result.v'));
