import { AppError } from '@uprez/contracts/errors/app-error';
import type { Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';
import { findExtraChannels, hasHiddenChannels } from './extra-channels.ts';
import { inspectWithSharp } from './inspect-with-sharp.ts';
import { unsupportedColors } from './read-error.ts';
import { photometric, readTiff, type Tiff, tiffTag, usesJpeg } from './read-tiff.ts';
import type { WorkBudget } from './work-budget.ts';

const readablePhotometrics: number[] = Object.values(photometric);
const depths = [1, 2, 4, 8, 16];
/** SampleFormat values. Some Lab files declare signed samples. */
const [unsigned, signed] = [1, 2];

const isLab = ({ first }: Tiff) => first.get(tiffTag.photometric)?.value === photometric.lab;

/** Rejects TIFF files whose samples can't be displayed. Throws AppError `unsupported_format`. */
function checkTiff(tiff: Tiff): void {
  if (tiff.isRaw) throw new AppError('unsupported_format', { detail: describeUnsupported('camera raw') });
  const value = (name: keyof typeof tiffTag, otherwise: number) => tiff.first.get(tiffTag[name])?.value ?? otherwise;
  const kind = value('photometric', photometric.blackIsZero);
  const format = value('sampleFormat', unsigned);
  const isDisplayable = format === unsigned || (format === signed && kind === photometric.lab);
  // libvips converts YCbCr samples only if they are JPEG-compressed.
  const isRawYcbcr = kind === photometric.ycbcr && !usesJpeg(tiff);
  if (
    !readablePhotometrics.includes(kind) ||
    !depths.includes(value('bitsPerSample', 1)) ||
    !isDisplayable ||
    isRawYcbcr
  )
    throw new AppError('unsupported_format', { detail: unsupportedColors });
}

/** Inspects a TIFF. Throws AppError `corrupt_image` or `unsupported_format`. */
export async function inspectTiff(file: Buffer, budget: WorkBudget): Promise<Inspection> {
  const tiff = readTiff(file, { budget });
  if (tiff.isOversized) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  checkTiff(tiff);
  const extra = findExtraChannels(file, tiff);
  if (!isLab(tiff)) return inspectWithSharp(file, 'tiff', extra);
  const used = hasHiddenChannels(extra) ? { ...extra, alphaAt: undefined } : extra;
  return { ...(await inspectWithSharp(labelLabAsRgb(file), 'tiff', used)), space: 'lab', decodesWhole: true };
}

/** libvips 8.18 can't open 8-bit Lab, and reads 16-bit Lab with a white point of D65. */
export function labelLabAsRgb(file: Buffer): Buffer {
  const copy = Buffer.from(file);
  const at = readTiff(file).first.get(tiffTag.photometric)?.at ?? 0;
  const isLittle = file[0] === 0x49;
  if (isLittle) copy.writeUInt16LE(photometric.rgb, at);
  else copy.writeUInt16BE(photometric.rgb, at);
  return copy;
}
