import { rm } from 'node:fs/promises';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { guardedSharp } from '../../decoders.ts';
import { type ExtraChannels, findExtraChannels, hasHiddenChannels } from '../../inspect/extra-channels.ts';
import { toDecodeError } from '../../inspect/read-error.ts';
import { applyColor } from '../color/apply-color.ts';
import { joinAlpha, pickChannels } from '../rows/channels.ts';
import { findBlob, openVipsFile, type VipsFile } from '../rows/row-file.ts';
import { type UnpackedFile, writeTiff } from '../rows/write-tiff.ts';
import { decodeNotes, describeFrames } from './decode-notes.ts';
import { colorSpaceName } from './open-pixels.ts';

function findCopiedChannels(file: Buffer, source: Inspection): ExtraChannels | undefined {
  if (source.format !== 'tiff' || source.space === 'lab') return undefined;
  const extra = findExtraChannels(file);
  return hasHiddenChannels(extra) ? extra : undefined;
}

const colorCountOf = ({ space }: Inspection) => (space === 'grey' ? 1 : 3);

/**
 * Returns the total number of channels in the two files that `unpackExtraChannels` writes: one with the dropped
 * channels, and one without them. Returns 0 if it writes no files.
 */
export function countUnpackedChannels(file: Buffer, source: Inspection): number {
  const extra = findCopiedChannels(file, source);
  return extra ? colorCountOf(source) + extra.count + source.channels : 0;
}

type UnpackInput = { file: Buffer; pipeline: ImagePipeline; path: string };

/**
 * Copies a TIFF to a TIFF that has only color and transparency channels, because libvips interprets the first channel
 * after the colors as transparency. Returns undefined for files that don't need this. Throws AppError `corrupt_image`.
 */
export async function unpackExtraChannels({ file, pipeline, path }: UnpackInput): Promise<UnpackedFile | undefined> {
  const { source, output } = pipeline;
  const extra = findCopiedChannels(file, source);
  if (!extra) return undefined;
  const all = `${path}.all.v`;
  try {
    await decodeAllChannels({ file, pipeline, path: all }, extra);
    const rows = await openVipsFile(all);
    try {
      const used = pickUsedChannels(rows, { colors: colorCountOf(source), alphaAt: extra.alphaAt });
      const icc = findBlob(rows.trailer, 'icc-profile-data');
      const applied = await applyColor({ rows: used, color: { kind: 'embedded' }, profile: icc, path });
      await writeTiff(path, applied.rows, {
        icc: applied.icc,
        orientation: source.orientation,
        onRows: () => {},
      });
      return { path, notes: [decodeNotes.extraChannels, ...applied.notes, ...describeFrames(file, source, output)] };
    } finally {
      await rows.close();
    }
  } finally {
    await rm(all, { force: true });
  }
}

async function decodeAllChannels(
  { file, pipeline: { source }, path }: UnpackInput,
  { isDeclared }: ExtraChannels,
): Promise<void> {
  const isCmyk = source.space === 'cmyk';
  // Ignores warnings for undeclared channels, because libtiff warns about channels without a declared kind.
  const failOn = isDeclared ? 'warning' : 'error';
  const options = { failOn, limitInputPixels: limits.inputPixels, sequentialRead: true } as const;
  try {
    const image = guardedSharp(file, { ...options, ignoreIcc: !isCmyk }).keepMetadata();
    const colored = isCmyk ? image.withIccProfile('srgb', { attach: false }) : image;
    await colored.toColorspace(colorSpaceName(source.space === 'grey', source.bitDepth > 8 ? 16 : 8)).toFile(path);
  } catch (cause) {
    throw toDecodeError(cause, file);
  }
}

type UsedChannels = { colors: number; alphaAt: number | undefined };

/** `alphaAt`: index of the transparency among the extra channels. */
function pickUsedChannels(rows: VipsFile, { colors, alphaAt }: UsedChannels) {
  const color = pickChannels(rows.stream(), 0, colors);
  if (alphaAt === undefined) return color;
  return joinAlpha(color, pickChannels(rows.stream(), colors + alphaAt, colors + alphaAt + 1));
}
