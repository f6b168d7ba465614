import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { variantFile } from '@uprez/contracts/schemas/jobs/child-messages';
import type { Metadata, Sharp } from 'sharp';
import { makeCanvasTransparent } from '../canvas/make-canvas-transparent.ts';
import { guardedSharp, toSrgb } from '../decoders.ts';
import { decodeToTiff } from '../engine/color/decode-to-tiff.ts';
import { openVipsFile } from '../engine/rows/row-file.ts';
import { shrinkFrames } from '../engine/rows/shrink.ts';
import { inspect } from '../inspect/inspect.ts';
import { readSourceColor } from '../inspect/read-source-color.ts';
import { sniffFormat } from '../sniff/sniff-format.ts';

const sharpOptions = { failOn: 'error', limitInputPixels: limits.inputPixels } as const;
const unpackedFileName = 'unpacked.tif';
const webpOptions = { quality: 82, effort: 4 };

/**
 * Writes an image as WebP in each of these widths, in pixels. Applies the orientation, converts to sRGB, keeps
 * transparency and frames, and drops metadata. Throws `corrupt_image` if the pixels can't be decoded.
 */
export async function makeVariants(file: Buffer, { dir, widths }: { dir: string; widths: readonly number[] }) {
  try {
    const shown = await applyDisplayColors(file, dir);
    const header = await guardedSharp(shown, sharpOptions).metadata();
    for (const width of widths) {
      const path = join(dir, variantFile(width));
      if (header.hasAlpha && width < header.autoOrient.width)
        await shrinkTransparentImage(shown, { header, width, path });
      else
        await openUprightImage(shown, header)
          .resize({ width, withoutEnlargement: true })
          .webp(webpOptions)
          .toFile(path);
    }
  } catch (cause) {
    throw new AppError('corrupt_image', { cause });
  } finally {
    await rm(join(dir, unpackedFileName), { force: true });
  }
}

/**
 * Returns the file as browsers show it. Makes the free canvas of animations transparent, or converts the colors that
 * the header describes without a profile.
 */
async function applyDisplayColors(file: Buffer, dir: string): Promise<Buffer | string> {
  const format = sniffFormat(file)?.readable;
  const color = format && readSourceColor(file, format);
  if (color?.kind !== 'encoded') return makeCanvasTransparent(file);
  const pipeline = { source: await inspect(file), output: { frames: 1 } };
  return (await decodeToTiff({ file, pipeline, path: join(dir, unpackedFileName), color, report: () => {} })).path;
}

function openUprightImage(file: Buffer | string, header: Metadata): Sharp {
  const isAnimated = (header.pages ?? 1) > 1;
  const source = guardedSharp(file, { ...sharpOptions, animated: isAnimated });
  // Animations aren't rotated, because viewers ignore their orientation.
  const upright = isAnimated ? source : source.autoOrient();
  return toSrgb(upright, header);
}

type Variant = { header: Metadata; width: number; path: string };

async function shrinkTransparentImage(file: Buffer | string, { header, width, path }: Variant): Promise<void> {
  const { pages: frames = 1, delay, loop, autoOrient } = header;
  const whole = frames > 1 ? header : autoOrient;
  const height = Math.max(1, Math.round((whole.height * width) / whole.width));
  const [stack, small] = [`${path}.stack.v`, `${path}.v`];
  try {
    await openUprightImage(file, header).toFile(stack);
    await shrinkFrames({ stack, path: small, frames, width, height });
    const animation = frames > 1 ? { delay: delay ?? [], loop: loop ?? 0 } : {};
    const raw = { width, height: height * frames, channels: 4, ...(frames > 1 && { pageHeight: height }) } as const;
    const rows = await openVipsFile(small);
    try {
      await guardedSharp(await rows.readRows(0, rows.height), { raw })
        .webp({ ...webpOptions, ...animation })
        .toFile(path);
    } finally {
      await rows.close();
    }
  } finally {
    await Promise.all([stack, small].map((name) => rm(name, { force: true })));
  }
}
