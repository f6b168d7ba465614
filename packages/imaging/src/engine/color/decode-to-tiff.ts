import { rm } from 'node:fs/promises';
import { limits } from '@uprez/contracts/policy/limits';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { SourceColor } from '../../color/encoding.ts';
import { findBmpProfile } from '../../color/read-bmp-color.ts';
import { guardedSharp } from '../../decoders.ts';
import { readPngProfile } from '../../inspect/icc-profile.ts';
import { labelAsStill } from '../../inspect/label-as-still.ts';
import { toDecodeError } from '../../inspect/read-error.ts';
import { hasUnusableProfile } from '../../inspect/read-source-color.ts';
import { openVipsFile } from '../rows/row-file.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { type UnpackedFile, writeTiff } from '../rows/write-tiff.ts';
import { decodeBmp } from '../steps/decode-bmp.ts';
import { decodeNotes, describeFrames } from '../steps/decode-notes.ts';
import { colorSpaceName } from '../steps/open-pixels.ts';
import { decodeRepaired } from '../steps/repair-jpeg.ts';
import { applyColor } from './apply-color.ts';

type FrameSource = { source: Inspection; output: { frames: number } };
type UnpackInput = {
  file: Buffer;
  pipeline: FrameSource;
  path: string;
  color: SourceColor;
  report: (share: number) => void;
};

/**
 * Decodes an image to a TIFF, for images with colors that libvips can't read. The TIFF is in sRGB or has a profile that
 * describes its colors. Throws AppError `corrupt_image`, or other errors if the disk fails.
 */
export async function decodeToTiff({ file, pipeline, path, color, report }: UnpackInput): Promise<UnpackedFile> {
  const { source, output } = pipeline;
  const { rows, close } =
    source.format === 'bmp'
      ? openBmp(file)
      : await decodeRepaired(file, source, (jpeg) => openDecoded(jpeg, pipeline, path));
  try {
    const profile = color.kind === 'embedded' ? await findProfile(file, source) : undefined;
    const applied = await applyColor({ rows, color, profile, path });
    await writeTiff(path, applied.rows, {
      icc: applied.icc,
      orientation: source.orientation,
      onRows: (count) => report(count / rows.height),
    });
    const dropped = hasUnusableProfile(file, source.format) ? [decodeNotes.profileUnusable] : [];
    const notes = [...dropped, ...applied.notes, ...describeFrames(file, source, output)];
    return { path, notes };
  } finally {
    await close();
  }
}

/** Reads PNG profiles directly from the file, because the decoder drops the profile of a gray PNG. */
async function findProfile(file: Buffer, { format }: Inspection): Promise<Buffer | undefined> {
  if (format === 'png') return readPngProfile(file)?.icc;
  if (format !== 'bmp') return (await guardedSharp(labelAsStill(file), { limitInputPixels: false }).metadata()).icc;
  const place = findBmpProfile(file);
  return place && file.subarray(place.start, place.end);
}

type OpenedImage = { rows: RowStream; close: () => Promise<void> };

function openBmp(file: Buffer): OpenedImage {
  const { data, width, height, channels } = decodeBmp(file);
  let y = 0;
  const read = async (count: number) => {
    y += count;
    return data.subarray((y - count) * width * channels, y * width * channels);
  };
  return { rows: { width, height, channels, depth: 8, read }, close: async () => {} };
}

/** Decodes to a file, because the pixels of an image may not fit into memory. */
async function openDecoded(file: Buffer, { source }: FrameSource, path: string): Promise<OpenedImage> {
  const decoded = `${path}.v`;
  const remove = () => rm(decoded, { force: true });
  const options = { failOn: 'warning', limitInputPixels: limits.inputPixels, sequentialRead: true } as const;
  try {
    await guardedSharp(labelAsStill(file), { ...options, ignoreIcc: true })
      .toColorspace(colorSpaceName(source.space === 'grey', source.bitDepth > 8 ? 16 : 8))
      .toFile(decoded);
    const { stream, close } = await openVipsFile(decoded);
    return { rows: stream(), close: () => close().finally(remove) };
  } catch (cause) {
    await remove();
    throw toDecodeError(cause, file);
  }
}
