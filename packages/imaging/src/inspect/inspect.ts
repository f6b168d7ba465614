import { AppError } from '@uprez/contracts/app-error';
import type { Inspection } from '@uprez/contracts/image-plan';
import type { InputFormat } from '@uprez/contracts/picture-formats';
import type { Metadata } from 'sharp';
import { guardedSharp } from '../decoders.ts';
import { checkInput } from '../plan/check-input.ts';
import { countPngFrames } from './count-png-frames.ts';
import { describeUnsupported } from './describe-unsupported.ts';
import { sniffFormat } from './sniff-format.ts';

const bitsOfDepth: Record<string, number> = { uchar: 8, char: 8, ushort: 16, short: 16 };

/**
 * Read a picture's header; no pixel is decoded. The kind is told by content, never by name. Throws AppError `empty_file`, `unsupported_format`,
 * `corrupt_image`, `side_too_long` or `too_many_pixels`, each with a sentence for the person who sent the file.
 */
export async function inspect(file: Buffer): Promise<Inspection> {
  if (file.length === 0) throw new AppError('empty_file');
  const known = sniffFormat(file);
  if (!known) throw new AppError('unsupported_format');
  if (!known.readable) throw new AppError('unsupported_format', { detail: describeUnsupported(known.name) });
  const header = await readHeader(file);
  const frames = known.readable === 'png' ? countPngFrames(file) : (header.pages ?? 1);
  const inspection = { ...describe(header, known.readable), frames };
  const refusal = checkInput(inspection);
  if (refusal) throw new AppError(refusal.code, { detail: refusal.detail, meta: refusal.meta });
  return inspection;
}

async function readHeader(file: Buffer): Promise<Metadata> {
  try {
    // Limits are ours to check: sharp's own would answer with its sentence instead of a code.
    return await guardedSharp(file, { failOn: 'warning', limitInputPixels: false }).metadata();
  } catch (cause) {
    throw new AppError('corrupt_image', { cause });
  }
}

function describe(header: Metadata, format: InputFormat): Omit<Inspection, 'frames'> {
  if (header.format !== format || !(header.width > 0) || !(header.height > 0)) throw new AppError('corrupt_image');
  const isInterlaced = header.isProgressive === true;
  return {
    format,
    width: header.autoOrient.width,
    height: header.autoOrient.height,
    orientation: header.orientation ?? 1,
    channels: header.channels,
    space: header.channels < 3 ? 'grey' : 'rgb',
    isPalette: header.isPalette === true,
    bitDepth: bitsOfDepth[header.depth] ?? 8,
    hasAlpha: header.hasAlpha,
    hasProfile: header.hasProfile,
    decodesWhole: isInterlaced || format === 'webp' || (header.orientation ?? 1) > 2,
  };
}
