import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import type { Metadata } from 'sharp';
import { guardedSharp } from '../decoders.ts';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';
import type { ExtraChannels } from './extra-channels.ts';
import { labelAsStill } from './label-as-still.ts';
import { toReadError, unsupportedColors } from './read-error.ts';
import { readSourceColor } from './read-source-color.ts';

const spaces: Record<string, 'grey' | 'rgb' | 'cmyk'> = {
  'b-w': 'grey',
  grey16: 'grey',
  srgb: 'rgb',
  rgb: 'rgb',
  rgb16: 'rgb',
  cmyk: 'cmyk',
};
/** Supported sample formats. Float and 32-bit samples hold measurements, not images to display. */
const depths = ['uchar', 'ushort'];
const streamedFormats: InputFormat[] = ['jpeg', 'png', 'tiff'];

/**
 * Inspects an image with sharp. `extra`: channels after the color channels, if known from the file. Throws AppError
 * `corrupt_image` or `unsupported_format`.
 */
export async function inspectWithSharp(file: Buffer, format: InputFormat, extra?: ExtraChannels): Promise<Inspection> {
  const header = await readHeader(file);
  const { count, alphaAt } = extra ?? { count: header.hasAlpha ? 1 : 0, alphaAt: header.hasAlpha ? 0 : undefined };
  checkKind(header, format, count);
  const hasAlpha = alphaAt !== undefined;
  const space = spaces[header.space] ?? 'rgb';
  const frames = format === 'gif' || format === 'webp' ? (header.pages ?? 1) : 1;
  // Ignores the orientation of animations, as viewers do.
  const orientation = frames > 1 ? 1 : (header.orientation ?? 1);
  const { width, height } = orientation > 4 ? header.autoOrient : header;
  return {
    format,
    width,
    height,
    orientation,
    channels: (space === 'grey' ? 1 : 3) + (hasAlpha ? 1 : 0),
    space,
    ...describeSamples(file, format, header),
    hasAlpha,
    hasProfile: header.hasProfile || readSourceColor(file, format).kind === 'encoded',
    decodesWhole: !streamedFormats.includes(format) || header.isProgressive === true || orientation > 2,
    frames,
  };
}

async function readHeader(file: Buffer): Promise<Metadata> {
  try {
    // Turns off sharp's limit, because `checkInput` checks the limits and has separate error codes for them.
    return await guardedSharp(labelAsStill(file), { failOn: 'warning', limitInputPixels: false }).metadata();
  } catch (cause) {
    throw toReadError(cause, file);
  }
}

function checkKind(header: Metadata, format: InputFormat, extraChannels: number): void {
  if (header.format === 'heif' && header.compression !== 'av1')
    throw new AppError('unsupported_format', { detail: describeUnsupported('HEIF') });
  if (header.format !== (format === 'avif' ? 'heif' : format) || !(header.width > 0) || !(header.height > 0))
    throw new AppError('corrupt_image');
  const colors = header.channels - extraChannels;
  const wanted = { grey: 1, rgb: 3, cmyk: 4 }[spaces[header.space] ?? 'rgb'];
  if (!(header.space in spaces) || !depths.includes(header.depth) || colors !== wanted)
    throw new AppError('unsupported_format', { detail: unsupportedColors });
}

/** Returns the bits per sample, and whether the image has a palette. Palette colors have 8 bits. */
function describeSamples(
  file: Buffer,
  format: InputFormat,
  header: Metadata,
): Pick<Inspection, 'isPalette' | 'bitDepth'> {
  const isPalette = format === 'gif' || (format === 'png' && file[25] === 3) || header.isPalette === true;
  const stored = header.bitsPerSample ?? (header.depth === 'ushort' ? 16 : 8);
  return { isPalette, bitDepth: isPalette ? 8 : stored };
}
