import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { freeNotes } from '@uprez/contracts/policy/free-jobs';
import { isAiEngine, isCustomEngine } from '@uprez/contracts/policy/images/engines';
import { crispRange, outputFormats, strengthRange } from '@uprez/contracts/policy/images/image-formats';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { jobFiles } from '@uprez/contracts/schemas/jobs/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { sha256 } from '@uprez/models/files/sha256';
import { models } from '@uprez/models/manifest';
import * as z from 'zod';
import { guardedSharp } from '../decoders.ts';
import { strippableFormats } from '../pipeline/may-return-source.ts';
import { mayWorkSmaller } from '../pipeline/working-size.ts';
import type { StripOptions } from '../strip/strip-jpeg.ts';
import { stripMetadata } from '../strip/strip-metadata.ts';
import { describeWork } from './detail/describe-work.ts';
import { selectMetadata } from './metadata/select-metadata.ts';
import { findBlob, openVipsFile, type RowFile } from './rows/row-file.ts';
import { convertToTiff, openTiffRows } from './rows/write-tiff.ts';
import { type EngineJob, type Stages, startStages, throwIfCancelled } from './stages.ts';
import { checkDiskSpace, checkSource, toDiskError } from './steps/check-source.ts';
import { compareResult, scoreFidelity } from './steps/compare-result.ts';
import { convertToPrint, printFiles } from './steps/convert-to-print.ts';
import { type DecodeResult, decode } from './steps/decode.ts';
import { decodeNotes, hasGainMap } from './steps/decode-notes.ts';
import { encode } from './steps/encode.ts';
import { makeVerifiedPixels, type VerifiedPixels } from './steps/make-verified-pixels.ts';
import { measureColors } from './steps/measure-colors.ts';
import { openMask } from './steps/open-mask.ts';
import type { Pixels } from './steps/open-pixels.ts';
import { resolveAutoEngine } from './steps/resolve-auto-engine.ts';
import { type SourceFile, unpackSource } from './steps/unpack-source.ts';
import { partsFolder } from './steps/write-pixels.ts';
import { writeReferencePixels, writeThumbnail, writeThumbnailPixels } from './steps/write-thumbnail.ts';
import { bandsFolder } from './strips/upscale-strips.ts';
import type { Network } from './upscaler/network.ts';

const intermediateFiles = {
  unpacked: 'unpacked.tif',
  decoded: 'decoded.v',
  pixels: 'pixels.tif',
  thumbnail: 'thumbnail.v',
  reference: 'reference.v',
  plain: 'plain.v',
  genericProfile: printFiles.generic,
  print: printFiles.pixels,
  proof: printFiles.proof,
};

/**
 * Runs a pipeline: decodes, upscales or resizes, compares, encodes, and writes the thumbnail. Always deletes the
 * intermediate files in the job folder. Deletes the result if the run fails. Memory use depends on tiles and strips,
 * not on the size of the image. Throws AppError `corrupt_image`, `cancelled`, `engine_unavailable`,
 * `output_check_failed` (the output doesn't match the input), `target_bytes_unreachable`, `service_unavailable` (the
 * disk is full), or a limit's code.
 */
export async function runPipeline(job: EngineJob): Promise<Receipt> {
  const { pipeline, dir } = job;
  const file = await readFile(join(dir, jobFiles.source));
  const run: Run = { job, stages: startStages(job), uploaded: file, file };
  try {
    await checkDiskSpace(dir, pipeline, file);
    const decoding = run.stages.run('decode', async (report) => {
      await checkSource(file, pipeline);
      const path = join(dir, intermediateFiles.unpacked);
      run.file = await unpackSource({ file, pipeline, path, signal: job.signal, report });
      return decode(run.file, pipeline, join(dir, intermediateFiles.decoded));
    });
    const source = { sizeBytes: file.length, sha256: sha256(file) };
    const finished = await finishRun(run, {
      ...(await decoding),
      seed: Number.parseInt(source.sha256.slice(0, 8), 16),
    });
    const path = join(dir, jobFiles.result);
    const receipt = makeReceipt(run, { ...finished, source, sha256: await hashFile(path) });
    return await replaceWithSource({ pipeline, file, receipt, path });
  } catch (error) {
    await rm(join(dir, jobFiles.result), { force: true });
    // A canceled run is reported as canceled, because an aborted step may fail with any error.
    throwIfCancelled(job.signal);
    throw toDiskError(error);
  } finally {
    const names = [...Object.values(intermediateFiles), bandsFolder, partsFolder];
    await Promise.all(names.map((name) => rm(join(dir, name), { recursive: true, force: true })));
  }
}

const grainSkippedNote = "Film grain wasn't added because the result isn't larger than the image.";

const crispSkippedNote = `Crisp wasn't used because it only applies to still images that are upscaled with AI by less than ${crispRange.below}x.`;

const strengthSkippedNote = "Strength wasn't used because the image was processed without AI.";

const maskSkippedNote = "The mask wasn't used because the image was processed without AI.";

/** `file`: the source, or its pixels if it was unpacked. */
type Run = { job: EngineJob; stages: Stages; uploaded: Buffer; file: SourceFile };

/** Skips upscaling if the pixels were decoded at the output size. */
async function finishRun(run: Run, { seed, ...decoded }: DecodeResult & { seed: number }) {
  const { pipeline, dir } = run.job;
  const { width, height, frames, alpha } = pipeline.output;
  const path = join(dir, pipeline.shrinks ? intermediateFiles.decoded : intermediateFiles.pixels);
  const source = await openVipsFile(join(dir, intermediateFiles.decoded), alpha);
  let rows: RowFile = source;
  try {
    const size = { width, height: height * frames, channels: source.channels, depth: source.depth, alpha };
    const icc = findBlob(source.trailer, 'icc-profile-data');
    if (pipeline.shrinks) await convertToTiff(path, { ...size, frames, icc });
    const { job, choice } = await resolveAutoEngine(run.job, source);
    const mask = isAiEngine(job.pipeline.engine) && pipeline.output.mask ? await openMask(dir, pipeline) : undefined;
    const made = pipeline.shrinks ? undefined : await makeVerifiedPixels({ ...run, job, source, path, seed, mask });
    if (made) rows = await openTiffRows(path, size);
    const files = await writeFiles(run, { ...decoded, made, source, pixels: { path, rows, icc } });
    const amount = pipeline.output.grain;
    if (amount && !made) files.notes.push(grainSkippedNote);
    if (pipeline.output.detail && !mayWorkSmaller(files.pipeline)) files.notes.push(crispSkippedNote);
    if (pipeline.output.strength !== undefined && !isAiEngine(files.pipeline.engine))
      files.notes.push(strengthSkippedNote);
    if (pipeline.output.mask && !mask) files.notes.push(maskSkippedNote);
    return { ...files, choice, mask, grain: amount && made ? { amount, seed } : null };
  } finally {
    if (rows !== source) await rows.close();
    await source.close();
  }
}

type WriteFilesInput = DecodeResult & { made: VerifiedPixels | undefined; source: RowFile; pixels: Pixels };

/** Compares the thumbnail with the source, unless the pixels have already been compared. */
async function writeFiles(run: Run, { made, source, pixels, animation, notes }: WriteFilesInput) {
  const { job, stages, uploaded, file } = run;
  const { pipeline, dir, signal, marksAlways = true } = job;
  const isMarked =
    isAiEngine(made?.pipeline.engine ?? 'standard') && (marksAlways || pipeline.output.metadata !== 'none');
  const metadata = selectMetadata(uploaded, pipeline.source.format, { ...pipeline.output, isMarked });
  const [small, reference] = [join(dir, intermediateFiles.thumbnail), join(dir, intermediateFiles.reference)];
  const thumbnailPixels = writeThumbnailPixels(pixels, pipeline, small);
  const compare = async () => {
    await writeReferencePixels(file, pipeline, reference);
    await thumbnailPixels;
    const source = await loadRows(reference);
    return compareResult({ source, pixels: await loadRows(small), frames: pipeline.output.frames });
  };
  const works = [
    stages.run('encode', async (report) => {
      const print = await convertToPrint({ pipeline, pixels, dir, signal });
      const result = join(dir, jobFiles.result);
      const encoding = { pipeline, pixels, printed: print?.pixels, result, animation, metadata, signal, report };
      return encode(encoding)
        .then((encoded) => ({ ...encoded, print: print?.facts }))
        .finally(print?.close);
    }),
    stages.measure('thumbnail', async () => {
      await thumbnailPixels;
      return writeThumbnail(small, join(dir, jobFiles.thumbnail), pipeline.output);
    }),
    made?.difference ?? stages.measure('check', compare),
  ] as const;
  // Waits for all of them even if one fails, because the others are still using the files.
  await Promise.allSettled(works);
  const [encoded, thumbhash, checked] = await Promise.all(works);
  throwIfCancelled(signal);
  const measure = () =>
    measureColors({
      ...{ pipeline, file: uploaded, result: join(dir, jobFiles.result), icc: pixels.icc },
      keepsSamples: Buffer.isBuffer(file) && pixels.icc !== undefined,
      decoded: async () => (made ? source : loadRows(reference)),
      pixels: async () => {
        if (encoded.print) return loadRows(join(dir, intermediateFiles.proof));
        return made ? pixels.rows : loadRows(small);
      },
      path: join(dir, intermediateFiles.plain),
    });
  // A failure here doesn't fail the run, because the result is complete. The comparison of the samples is used instead.
  const colors = await stages.measure('check', measure).catch((error) => {
    console.error(`colors not measured: ${error instanceof Error ? error.message : error}`);
    return undefined;
  });
  throwIfCancelled(signal);
  const difference = { ...checked, ...colors };
  // Inks can't show all colors, so the conversion to CMYK doesn't count.
  const fidelity = scoreFidelity(encoded.print ? checked : difference);
  const work = made?.detail && describeWork(made.detail, { parts: made.parts, source });
  const lost = hasGainMap(uploaded, pipeline.source.format) ? [decodeNotes.gainMap] : [];
  return {
    ...(made ?? { pipeline, network: undefined, retries: [] }),
    ...{ encoded, thumbhash, difference, fidelity, work },
    notes: [...lost, ...notes, ...metadata.notes, ...encoded.notes, ...(work?.notes ?? [])],
  };
}

/** Loads a small `.v` file into memory, because reading it row by row would take longer than the comparison itself. */
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

const require = createRequire(import.meta.url);
const versionOf = (path: string) => z.object({ version: z.string() }).parse(require(path)).version;
const { sharp = '', vips = '' } = guardedSharp.versions;
const versions = {
  uprez: versionOf('../../package.json'),
  sharp,
  vips,
  onnxruntime: versionOf('onnxruntime-node/package.json'),
};

/** `sha256`: hash of the result. */
type FinishedRun = Awaited<ReturnType<typeof finishRun>> & {
  source: { sizeBytes: number; sha256: string };
  sha256: string;
};

function makeReceipt({ stages }: Run, { pipeline, network, difference, encoded, ...finished }: FinishedRun): Receipt {
  const { engine, passes, tiles, tile, strips, strip, bands, source, output } = pipeline;
  const { retries, sha256, thumbhash, notes, choice, grain, mask, work, fidelity } = finished;
  const { width, height, format, bitDepth, frames } = output;
  return {
    engine,
    autoChoice: choice,
    variant: network?.variant ?? null,
    variantReason: network?.reason ?? null,
    model: findModelDigest(pipeline, network),
    device: network?.device ?? 'cpu',
    versions,
    source: { width: source.width, height: source.height, ...finished.source },
    ...{ width, height, format, bitDepth, frames, passes, tiles, tile, retries, sha256, thumbhash, notes },
    ...{ strips, strip, bands, ...work?.facts },
    detail: isAiEngine(engine) ? (mayWorkSmaller(pipeline) && output.detail) || 'faithful' : null,
    strength: isAiEngine(engine) ? (output.strength ?? strengthRange.max) : null,
    ...(mask && { maskedShare: mask.share }),
    quality: encoded.quality,
    sizeBytes: encoded.sizeBytes,
    stagesMs: Object.fromEntries(Object.entries(stages.stagesMs).map(([name, ms]) => [name, Math.round(ms)])),
    colorDifference: { mean: difference.meanDeltaE, worst: difference.worstDeltaE },
    fidelity,
    grain,
    ...(output.edges && { edges: output.edges }),
    ...(output.alpha && { alpha: output.alpha }),
    ...(encoded.print && { print: encoded.print }),
  };
}

function findModelDigest({ engine, custom }: ImagePipeline, network: Network | undefined): string | null {
  if (!isAiEngine(engine)) return null;
  return network?.sha256 ?? (isCustomEngine(engine) ? (custom?.sha256 ?? null) : models[engine].onnx.sha256);
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) hash.update(chunk);
  return hash.digest('hex');
}

type SourceReplacement = { pipeline: ImagePipeline; file: Buffer; receipt: Receipt; path: string };

/**
 * Replaces the result at `path` with the source if the pipeline allows it and the result is larger. Returns the receipt
 * for the file that is then at `path`.
 */
async function replaceWithSource({ pipeline, file, receipt, path }: SourceReplacement): Promise<Receipt> {
  const format = outputFormats.find((name) => name === pipeline.source.format);
  if (!pipeline.output.neverLarger || !format) return receipt;
  const source = stripSource(file, pipeline);
  if (!source || receipt.sizeBytes <= source.length) return receipt;
  await writeFile(path, source);
  const { frames, bitDepth } = pipeline.source;
  return {
    ...receipt,
    ...{ format, frames, bitDepth, quality: null, sizeBytes: source.length, sha256: sha256(source) },
    colorDifference: { mean: 0, worst: 0 },
    fidelity: { score: 100, structure: 1, color: 0 },
    freeReason: 'original',
    notes: [
      freeNotes.original,
      ...(hasGainMap(file, format) && !hasGainMap(source, format) ? [decodeNotes.gainMap] : []),
    ],
  };
}

/**
 * Returns the source with only the metadata that the pipeline keeps. Returns undefined if keeping a part of the
 * metadata requires a new file.
 */
function stripSource(file: Buffer, { source, output: { metadata, gps } }: ImagePipeline): Buffer | undefined {
  if (metadata === 'all' && gps) return file;
  const format = strippableFormats.find((name) => name === source.format);
  // `none` also removes the print resolution, as in new files. `mayReturnSource` has already excluded jobs that set
  // `dpi` or `keepDpi`.
  const stripped = format && tryStripMetadata(file, format, { removesResolution: metadata === 'none' });
  return metadata === 'none' || stripped?.equals(file) ? stripped : undefined;
}

/** Removes metadata from a file. Returns undefined for damaged files that decoders accept. */
function tryStripMetadata(
  file: Buffer,
  format: (typeof strippableFormats)[number],
  options: StripOptions,
): Buffer | undefined {
  try {
    return stripMetadata(file, format, options);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
