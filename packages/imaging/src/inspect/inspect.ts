import { AppError } from '@uprez/contracts/errors/app-error';
import type { InputFormat } from '@uprez/contracts/policy/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import type { Inspection } from '@uprez/contracts/schemas/image-plan';
import { formatCount } from '@uprez/contracts/texts/format';
import { showWebpCanvas } from '../canvas/show-webp-canvas.ts';
import { checkInput } from '../plan/check-plan.ts';
import { describeUnsupported } from '../sniff/describe-unsupported.ts';
import { sniffFormat } from '../sniff/sniff-format.ts';
import { countDecodedPixels } from './cost/decode-cost.ts';
import { countFrames, hasPngEnd } from './count-frames.ts';
import { inspectGif } from './inspect-gif.ts';
import { inspectHeic } from './inspect-heic.ts';
import { inspectJxl } from './inspect-jxl.ts';
import { inspectTiff } from './inspect-tiff.ts';
import { inspectWithSharp } from './inspect-with-sharp.ts';
import { loadHeader, openPartialFile, type ReadBytes } from './load-header.ts';
import { inspectBmp } from './read-bmp-header.ts';
import { isOverBudget, makeWorkBudget, type WorkBudget } from './work-budget.ts';

type Ranges = { sizeBytes: number; read: ReadBytes; budget?: WorkBudget };

/** Inspect a file of `sizeBytes`, reading only the ranges it needs. Throws as `inspect` does, and the errors of `read`. */
export async function inspectRanges({ sizeBytes, read, budget = makeWorkBudget() }: Ranges): Promise<Inspection> {
  const file = openPartialFile(sizeBytes, read);
  await loadHeader(file, budget);
  return inspect(file.bytes, budget);
}

/**
 * Read the header of an image. No pixels are decoded. The format is detected by content, not by file name. Throws AppError
 * `empty_file`, `unsupported_format`, `corrupt_image`, `side_too_long`, `too_many_pixels`, `too_many_frames`, or
 * `image_too_complex`.
 * Files whose structure takes more steps than `limits.inspectionSteps` are corrupt.
 */
export async function inspect(file: Buffer, budget = makeWorkBudget()): Promise<Inspection> {
  if (file.length === 0) throw new AppError('empty_file');
  const known = sniffFormat(file);
  if (!known) throw new AppError('unsupported_format');
  if (!known.readable) throw new AppError('unsupported_format', { detail: describeUnsupported(known.name) });
  checkFrameCount(file, known.readable, budget);
  const inspection = await readHeader(file, known.readable, budget);
  const rejection = checkInput(inspection);
  if (rejection) throw new AppError(rejection.code, { detail: rejection.detail, meta: rejection.meta });
  const decodedPixels = countDecodedPixels(file, inspection, budget);
  return decodedPixels ? { ...inspection, decodedPixels } : inspection;
}

function readHeader(file: Buffer, format: InputFormat, budget: WorkBudget): Inspection | Promise<Inspection> {
  if (format === 'gif') return inspectGif(file, budget);
  if (format === 'bmp') return inspectBmp(file);
  if (format === 'tiff') return inspectTiff(file, budget);
  if (format === 'heic') return inspectHeic(file, budget);
  if (format === 'jxl') return inspectJxl(file, budget);
  const isCut = format === 'png' && !hasPngEnd(file, budget);
  if (isOverBudget(budget, format)) throw new AppError('corrupt_image', { limitName: 'image_structure' });
  if (isCut) throw new AppError('corrupt_image');
  return inspectWithSharp(format === 'webp' ? showWebpCanvas(file) : file, format);
}

/** Check the number of images before a decoder counts them. */
function checkFrameCount(file: Buffer, format: InputFormat, budget: WorkBudget): void {
  const frames = countFrames(file, format, budget);
  const count = `${isOverBudget(budget, format) ? 'more than ' : ''}${formatCount(frames)}`;
  if (frames > limits.frames)
    throw new AppError('too_many_frames', {
      detail: `The file has ${count} pages. The maximum is ${formatCount(limits.frames)}.`,
      meta: { limit: limits.frames, value: frames },
    });
}
