import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jobFiles } from '@uprez/contracts/schemas/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { selectMetadata } from './metadata/select-metadata.ts';
import { findBlob, openVipsFile, type RowFile, type VipsFile } from './rows/row-file.ts';
import { labelAsTiff, openTiffRows } from './rows/write-tiff.ts';
import { type EngineJob, type Stages, startStages, throwIfCancelled } from './stages.ts';
import { checkDiskSpace, toDiskError } from './steps/check-disk-space.ts';
import { checkSource } from './steps/check-source.ts';
import { compareResult } from './steps/compare-result.ts';
import { type Decoded, decode } from './steps/decode.ts';
import { type Encoded, encode } from './steps/encode.ts';
import { hashFile, makeReceipt } from './steps/make-receipt.ts';
import { type Made, makeVerifiedPixels } from './steps/make-verified-pixels.ts';
import type { Pixels } from './steps/open-pixels.ts';
import { writeReferencePixels, writeThumbnail, writeThumbnailPixels } from './steps/write-thumbnail.ts';

const intermediates = {
  decoded: 'decoded.v',
  pixels: 'pixels.tif',
  thumbnail: 'thumbnail.v',
  reference: 'reference.v',
};

/**
 * Run a plan: decode, upscale or resize, compare, encode, write the thumbnail. Intermediate files in the job folder are always
 * deleted, and so is the result of a failed run. Memory is bounded by tiles and strips, not by the size of the image. Throws
 * AppError `corrupt_image`, `cancelled`, `engine_unavailable`, `output_check_failed` (the output does not match the input),
 * `target_bytes_unreachable`, `service_unavailable` (the disk is full), or a limit's code.
 */
export async function runPlan(job: EngineJob): Promise<Receipt> {
  const { plan, dir } = job;
  const run: Run = { job, stages: startStages(job), file: await readFile(join(dir, jobFiles.source)) };
  try {
    await checkDiskSpace(dir, plan);
    const [decoded, source] = await Promise.all([
      run.stages.run('decode', async () => {
        await checkSource(run.file, plan);
        return decode(run.file, plan, join(dir, intermediates.decoded));
      }),
      describeSource(run.file),
    ]);
    const finished = plan.shrinks ? await finishDownscaled(run, decoded) : await finishUpscaled(run, decoded);
    const sha256 = await hashFile(join(dir, jobFiles.result));
    const notes = [...decoded.notes, ...finished.notes, ...finished.encoded.notes];
    const { made, encoded, thumbhash } = finished;
    return makeReceipt({ made, encoded, source, sha256, thumbhash, notes, stagesMs: run.stages.stagesMs });
  } catch (error) {
    await rm(join(dir, jobFiles.result), { force: true });
    // An aborted step may fail with any error.
    throwIfCancelled(job.signal);
    throw toDiskError(error);
  } finally {
    await Promise.all(Object.values(intermediates).map((name) => rm(join(dir, name), { force: true })));
  }
}

type Run = { job: EngineJob; stages: Stages; file: Buffer };
type Finished = { made: Made; encoded: Encoded; thumbhash: string; notes: string[] };

const describeSource = async (file: Buffer) => ({
  sizeBytes: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
});

/** The pixels were decoded to the output size already. */
async function finishDownscaled(run: Run, { animation }: Decoded): Promise<Finished> {
  const { plan, dir } = run.job;
  const path = join(dir, intermediates.decoded);
  const rows = await openVipsFile(path);
  try {
    const icc = findBlob(rows.trailer, 'icc-profile-data');
    await labelAsTiff(path, { ...sizeOf(rows), frames: plan.output.frames, icc });
    const pixels = { path, rows, icc };
    const thumbnailPixels = writeThumbnailPixels(pixels, plan, join(dir, intermediates.thumbnail));
    const [written, difference] = await settleBoth([
      writeFiles(run, { pixels, thumbnailPixels, trailer: rows.trailer, animation }),
      run.stages.measure('check', async () => {
        await writeReferencePixels(run.file, plan, join(dir, intermediates.reference));
        await thumbnailPixels;
        return compareThumbnails(dir, plan.output.frames);
      }),
    ]);
    return { ...written, made: { plan, network: undefined, difference, retries: [] } };
  } finally {
    await rows.close();
  }
}

async function compareThumbnails(dir: string, frames: number) {
  const source = await loadRows(join(dir, intermediates.reference));
  return compareResult({ source, pixels: await loadRows(join(dir, intermediates.thumbnail)), frames });
}

/** Load a small `.v` file into memory, because reading single rows takes longer than the comparison. */
async function loadRows(path: string): Promise<RowFile> {
  const file = await openVipsFile(path);
  try {
    const rows = await file.readRows(0, file.height);
    const length = file.width * file.channels;
    return { ...file, readRows: async (y, count) => rows.subarray(y * length, (y + count) * length) };
  } finally {
    await file.close();
  }
}

async function finishUpscaled(run: Run, { animation }: Decoded): Promise<Finished> {
  const { dir, plan } = run.job;
  const { width, height, frames } = plan.output;
  const path = join(dir, intermediates.pixels);
  const source = await openVipsFile(join(dir, intermediates.decoded));
  try {
    const made = await makeVerifiedPixels({ ...run, source, path });
    const rows = await openTiffRows(path, { ...sizeOf(source), width, height: height * frames });
    try {
      const icc = findBlob(source.trailer, 'icc-profile-data');
      const pixels = { path, rows, icc };
      const thumbnailPixels = writeThumbnailPixels(pixels, plan, join(dir, intermediates.thumbnail));
      return { ...(await writeFiles(run, { pixels, thumbnailPixels, trailer: source.trailer, animation })), made };
    } finally {
      await rows.close();
    }
  } finally {
    await source.close();
  }
}

const sizeOf = ({ width, height, channels, depth }: VipsFile) => ({ width, height, channels, depth });

/** `thumbnailPixels` resolves when the thumbnail pixels are written. */
type Output = { pixels: Pixels; thumbnailPixels: Promise<void>; trailer: string; animation: Decoded['animation'] };

async function writeFiles({ job, stages }: Run, { pixels, thumbnailPixels, trailer, animation }: Output) {
  const { plan, dir, signal } = job;
  const metadata = selectMetadata(trailer, plan.output);
  const result = join(dir, jobFiles.result);
  const [encoded, thumbhash] = await settleBoth([
    stages.run('encode', (report) => encode({ plan, pixels, result, animation, metadata, signal, report })),
    stages.measure('thumbnail', async () => {
      await thumbnailPixels;
      return writeThumbnail(join(dir, intermediates.thumbnail), join(dir, jobFiles.thumbnail), plan.output);
    }),
  ]);
  throwIfCancelled(signal);
  return { encoded, thumbhash, notes: metadata.notes };
}

/** Like `Promise.all`, but rejects only after both have settled, when no work uses the files any more. */
async function settleBoth<A, B>(works: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
