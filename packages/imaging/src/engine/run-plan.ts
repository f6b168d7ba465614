import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { jobFiles } from '@uprez/contracts/schemas/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import type { EngineJob } from './engine-job.ts';
import { keepMetadata } from './metadata/keep-metadata.ts';
import type { RowFile } from './rows/row-file.ts';
import { findBlob, openVipsFile, type VipsFile } from './rows/vips-file.ts';
import { openTiffRows } from './rows/write-tiff.ts';
import { type Stages, startStages, throwIfCancelled } from './stages.ts';
import { checkSource } from './steps/check-source.ts';
import { compareResult } from './steps/compare-result.ts';
import { type Decoded, decode } from './steps/decode.ts';
import { type Encoded, encode } from './steps/encode.ts';
import { asDiskTrouble, guardDisk } from './steps/guard-disk.ts';
import { labelAsTiff } from './steps/label-as-tiff.ts';
import { type Made, makePixels } from './steps/make-pixels.ts';
import { hashFile, makeReceipt } from './steps/make-receipt.ts';
import { makeReference, makeSmall } from './steps/make-small.ts';
import type { Pixels } from './steps/open-pixels.ts';
import { writeThumbnail } from './steps/write-thumbnail.ts';

/** Names of the intermediates in the job folder. */
const intermediates = { decoded: 'decoded.v', pixels: 'pixels.tif', small: 'small.v', reference: 'reference.v' };

/**
 * Make a plan's result: decode, enlarge, compare, encode, thumbnail. Intermediates lie in the job folder and are
 * removed whatever happens, and so is the result of a run that fails; memory is bounded by tiles and strips, not by the
 * image. Throws AppError `corrupt_image`, `cancelled`, `engine_unavailable`, `output_check_failed` (the output does
 * not match the input), `target_bytes_unreachable`, `service_unavailable` (the disk is full) or a limit's code.
 */
export async function runPlan(job: EngineJob): Promise<Receipt> {
  const { plan, dir } = job;
  const run: Run = { job, stages: startStages(job), file: await readFile(join(dir, jobFiles.source)) };
  try {
    await guardDisk(dir, plan);
    const [decoded, source] = await Promise.all([
      run.stages.run('decode', async () => {
        await checkSource(run.file, plan);
        return decode(run.file, plan, join(dir, intermediates.decoded));
      }),
      describeSource(run.file),
    ]);
    const finished = plan.shrinks ? await finishShrunk(run, decoded) : await finishEnlarged(run, decoded);
    const sha256 = await hashFile(join(dir, jobFiles.result));
    const notes = [...decoded.notes, ...finished.notes, ...finished.encoded.notes];
    return makeReceipt({ ...finished, job, source, sha256, notes, stagesMs: run.stages.stagesMs });
  } catch (error) {
    await rm(join(dir, jobFiles.result), { force: true });
    // Whatever was stopped half-way fails in its own words.
    throwIfCancelled(job.signal);
    throw asDiskTrouble(error);
  } finally {
    await Promise.all(Object.values(intermediates).map((name) => rm(join(dir, name), { force: true })));
  }
}

type Run = { job: EngineJob; stages: Stages; file: Buffer };
type Ended = { made: Made; encoded: Encoded; thumbhash: string; notes: string[] };

const describeSource = async (file: Buffer) => ({
  sizeBytes: file.length,
  sha256: createHash('sha256').update(file).digest('hex'),
});

/** What was decoded straight to its size is the result's pixels. */
async function finishShrunk(run: Run, { animation }: Decoded): Promise<Ended> {
  const { plan, dir } = run.job;
  const path = join(dir, intermediates.decoded);
  const rows = await openVipsFile(path);
  try {
    const icc = findBlob(rows.trailer, 'icc-profile-data');
    await labelAsTiff(path, { ...sizeOf(rows), frames: plan.output.frames, icc });
    const pixels = { path, rows, icc };
    const small = makeSmall(pixels, plan, join(dir, intermediates.small));
    const [written, difference] = await settled([
      writeFiles(run, { pixels, small, trailer: rows.trailer, animation }),
      run.stages.measure('check', async () => {
        await makeReference(run.file, plan, join(dir, intermediates.reference));
        await small;
        return compareSmall(dir, plan.output.frames);
      }),
    ]);
    return { ...written, made: { plan, network: undefined, difference, retries: [] } };
  } finally {
    await rows.close();
  }
}

async function compareSmall(dir: string, frames: number) {
  const source = await loadRows(join(dir, intermediates.reference));
  return compareResult({ source, pixels: await loadRows(join(dir, intermediates.small)), frames });
}

/** A small `.v` file, whole in memory: many reads of a row cost more than the comparison. */
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

async function finishEnlarged(run: Run, { animation }: Decoded): Promise<Ended> {
  const { dir, plan } = run.job;
  const { width, height, frames } = plan.output;
  const path = join(dir, intermediates.pixels);
  const source = await openVipsFile(join(dir, intermediates.decoded));
  try {
    const made = await makePixels({ ...run, source, path });
    const rows = await openTiffRows(path, { ...sizeOf(source), width, height: height * frames });
    try {
      const icc = findBlob(source.trailer, 'icc-profile-data');
      const pixels = { path, rows, icc };
      const small = makeSmall(pixels, plan, join(dir, intermediates.small));
      return { ...(await writeFiles(run, { pixels, small, trailer: source.trailer, animation })), made };
    } finally {
      await rows.close();
    }
  } finally {
    await source.close();
  }
}

const sizeOf = ({ width, height, channels, depth }: VipsFile) => ({ width, height, channels, depth });

/** `small`: done once the pixels lie in the size of a thumbnail. */
type Written = { pixels: Pixels; small: Promise<void>; trailer: string; animation: Decoded['animation'] };

/** Result and thumbnail side by side. */
async function writeFiles({ job, stages }: Run, { pixels, small, trailer, animation }: Written) {
  const { plan, dir, signal } = job;
  const metadata = keepMetadata(trailer, plan.output);
  const result = join(dir, jobFiles.result);
  const [encoded, thumbhash] = await settled([
    stages.run('encode', (report) => encode({ plan, pixels, result, animation, metadata, signal, report })),
    stages.measure('thumbnail', async () => {
      await small;
      return writeThumbnail(join(dir, intermediates.small), join(dir, jobFiles.thumbnail), plan.output);
    }),
  ]);
  throwIfCancelled(signal);
  return { encoded, thumbhash, notes: metadata.notes };
}

/** All values, or the first failure once nothing is at work on the files any more. */
async function settled<A, B>(works: [Promise<A>, Promise<B>]): Promise<[A, B]> {
  await Promise.allSettled(works);
  return Promise.all(works);
}
