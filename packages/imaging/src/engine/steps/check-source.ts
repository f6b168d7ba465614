import { statfs } from 'node:fs/promises';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { ImagePipeline, Inspection } from '@uprez/contracts/schemas/image-pipeline';
import { inspect } from '../../inspect/inspect.ts';
import { readSourceColor } from '../../inspect/read-source-color.ts';
import { checkOutput } from '../../pipeline/check-pipeline.ts';
import { countPassedBytes, networkFactor } from '../../pipeline/choose-passes.ts';
import { shrinksInRows, usedSize } from '../../pipeline/compute-target-size.ts';
import { paddedSize } from '../../pipeline/estimate.ts';
import { countUnpackedChannels } from './unpack-extra-channels.ts';

/**
 * Inspects the source again, because this process trusts neither the file nor the pipeline. Throws AppError if they
 * don't match or the output isn't allowed.
 */
export async function checkSource(file: Buffer, { source, output, crop }: ImagePipeline): Promise<void> {
  const inspection = await inspect(file);
  const found = {
    ...inspection,
    ...Object.fromEntries(listUncheckedFacts(file, source).map((fact) => [fact, source[fact]])),
  };
  const changed = (Object.keys(source) as (keyof Inspection)[]).find((fact) => found[fact] !== source[fact]);
  const isOutside = crop && (crop.left + crop.width > inspection.width || crop.top + crop.height > inspection.height);
  if (changed || isOutside || output.frames > inspection.frames)
    throw new AppError('processing_crashed', {
      detail: "The stored image doesn't match the uploaded image.",
      meta: changed ? { fact: changed, planned: source[changed], found: inspection[changed] } : {},
    });
  const rejection = checkOutput(output, limits.outputPixels);
  if (rejection) throw new AppError(rejection.code, { detail: rejection.detail, meta: rejection.meta });
}

/**
 * Returns the fields of an inspection that are taken from the job instead of being compared. Jobs created by earlier
 * versions may still be queued. Those versions didn't detect colors outside of profiles, damaged profiles, or canvas
 * that GIF frames leave uncovered. The decoding cost isn't compared, because it's an estimate.
 */
function listUncheckedFacts(file: Buffer, { format }: Inspection): (keyof Inspection)[] {
  if (format === 'gif') return ['hasAlpha', 'channels', 'decodedPixels'];
  const isOld = format === 'heic' || readSourceColor(file, format).kind !== 'embedded';
  return isOld ? ['hasProfile', 'decodedPixels'] : ['decodedPixels'];
}

const MB = 1024 * 1024;
/** Space reserved for profiles, metadata, the thumbnail, and the reference, in bytes. */
const smallFilesBytes = 16 * MB;
const diskFullPattern =
  /no space|disk full|unable to write|write error|write failed|unable to open for write|quota exceeded/i;
/**
 * sharp's error message if libvips' message was lost. libvips has one error message for the whole process, and another
 * operation of the job may clear it.
 */
const lostMessage = 'Unknown error';
const diskErrorCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS']);

/**
 * Formats that are always decoded to a file first (see `unpack-source.ts`). For other formats, this may be done if the
 * colors aren't sRGB.
 */
const unpackedFormats: readonly InputFormat[] = ['heic', 'jxl'];
const recoloredFormats: readonly InputFormat[] = ['png', 'avif', 'bmp'];

/** Returns the number of channels, in total, of the files that are written before the image is decoded. */
function countStoredChannels(file: Buffer, source: Inspection): number {
  if (unpackedFormats.includes(source.format)) return source.channels;
  const isRecolored = source.hasProfile && (source.space === 'grey' || recoloredFormats.includes(source.format));
  return isRecolored ? 2 * source.channels : countUnpackedChannels(file, source);
}

/**
 * Returns the maximum size of a pipeline's files in the job folder, in bytes. Includes the decoded pixels, two copies
 * of the output pixels, and the files of bands. Metadata needs a third copy of the output pixels, because it's written
 * into a copy. CMYK needs another copy with 4 channels.
 */
export function estimateFolderBytes({ source, output, shrinks, ...pipeline }: ImagePipeline, file: Buffer): number {
  const area = ({ width, height }: { width: number; height: number }) => width * height;
  const pixelBytes = ((source.channels + 1) * output.bitDepth * output.frames) / 8;
  const used = usedSize({ source, crop: pipeline.crop });
  const decoded = shrinks && !shrinksInRows({ shrinks, source, output }) ? 0 : area(used);
  const unpacked = countStoredChannels(file, source) * area(source) * (source.bitDepth > 8 ? 2 : 1);
  // The source is also decoded without a color conversion (see `measure-colors.ts`).
  const plain = source.hasProfile && !shrinks ? area(used) : 0;
  const copies = output.metadata === 'none' ? 2 : 3;
  const padded = paddedSize({ source, output, ...pipeline });
  const bands = pipeline.bands > pipeline.passes ? area(padded) * (1 + networkFactor ** (2 * pipeline.passes)) : 0;
  const print = output.printProfile === undefined ? 0 : 4 * area(output);
  const passed = countPassedBytes(pipeline.engine, { ...pipeline, height: padded.height });
  return (
    Math.ceil(unpacked + (decoded + plain + copies * area(output) + bands) * pixelBytes + passed + print) +
    smallFilesBytes
  );
}

/**
 * Throws AppError `service_unavailable` if the disk of the job folder has too little space for the pipeline's files.
 */
export async function checkDiskSpace(dir: string, pipeline: ImagePipeline, file: Buffer): Promise<void> {
  const { bavail, bsize } = await statfs(dir);
  const needed = estimateFolderBytes(pipeline, file);
  if (bavail * bsize >= needed) return;
  throw new AppError('service_unavailable', {
    cause: new Error(`${dir} has ${bavail * bsize} bytes available, ${needed} are needed`),
  });
}

/**
 * Converts errors from a full or broken disk to AppError `service_unavailable`. Also converts errors that have lost
 * their message. They can't come from a damaged image, which would have failed earlier. Returns other errors unchanged.
 */
export function toDiskError(error: unknown): unknown {
  if (error instanceof AppError || !(error instanceof Error)) return error;
  const { message, code = '' }: NodeJS.ErrnoException = error;
  const isDisk = diskFullPattern.test(message) || diskErrorCodes.has(code) || message === lostMessage;
  return isDisk ? new AppError('service_unavailable', { cause: error }) : error;
}
