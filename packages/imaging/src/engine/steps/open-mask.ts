import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import { guardedSharp } from '../../decoders.ts';
import { usedSize } from '../../pipeline/compute-target-size.ts';
import { type MaskGrid, type MaskRows, streamMask } from '../rows/mask-rows.ts';

/** `share`: share of the output that is protected, 0 to 1. `open`: returns the rows for one frame of the output. */
export type Mask = { share: number; open: () => MaskRows };

/**
 * Blur that feathers the edges of the protected areas. `sigma`: standard deviation, in pixels of the mask.
 * `minAmplitude`: smallest value of the kernel. The default cuts it off so early that edges stay hard.
 */
const feather = { sigma: 1, minAmplitude: 0.01 };

/** Maximum side of the image on which the protected share is measured, in pixels. */
const maxMeasuredSide = 512;

/** Opens the mask in a job folder. Throws `corrupt_image` if it can't be decoded. */
export async function openMask(dir: string, pipeline: ImagePipeline): Promise<Mask> {
  const { source, crop, output } = pipeline;
  const grid = await decodeMask(await readFile(join(dir, jobFiles.mask)));
  const placement = { source, area: crop ?? { left: 0, top: 0, ...usedSize(pipeline) } };
  const measured = {
    width: Math.min(output.width, maxMeasuredSide),
    height: Math.min(output.height, maxMeasuredSide),
  };
  const values = streamMask(grid, { ...placement, output: measured }).read(measured.height);
  const share = values.reduce((sum, value) => sum + value, 0) / values.length;
  return {
    share: Math.round(share * 10_000) / 10_000,
    open: () => streamMask(grid, { ...placement, output }),
  };
}

/** Decodes a mask row by row to a grid of limited size. Transparent areas count as black. */
async function decodeMask(file: Buffer): Promise<MaskGrid> {
  const side = limits.maskSide;
  try {
    const { data, info } = await guardedSharp(file, { sequentialRead: true, limitInputPixels: limits.inputPixels })
      .flatten({ background: 'black' })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      .toColorspace('b-w')
      .blur(feather)
      .extractChannel(0)
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return { data, width: info.width, height: info.height };
  } catch (cause) {
    throw new AppError('corrupt_image', { detail: "The mask couldn't be decoded. Save it as PNG again.", cause });
  }
}
