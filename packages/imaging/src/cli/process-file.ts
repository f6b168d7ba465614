import {
  access,
  constants,
  copyFile,
  mkdtemp,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { type CustomEngine, isCustomEngine, nameCustomModel } from '@uprez/contracts/policy/images/engines';
import { genericProfile } from '@uprez/contracts/policy/images/print-profiles';
import { limits } from '@uprez/contracts/policy/limits';
import { parseMask } from '@uprez/contracts/recipe/mask';
import { recipeDefaults } from '@uprez/contracts/recipe/recipe-fields';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { jobFiles, type MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { locateCustomModel, ModelError } from '@uprez/models/custom/custom-model';
import type { Sharp } from 'sharp';
import { isReady, isReplyTo, type Reply, startChild } from '../child/start-child.ts';
import { guardedSharp, toSrgb } from '../decoders.ts';
import { openVipsFile, type RowFile } from '../engine/rows/row-file.ts';
import { decode } from '../engine/steps/decode.ts';
import { unpackSource } from '../engine/steps/unpack-source.ts';
import type { CustomNetwork } from '../engine/upscaler/custom-network.ts';
import { inspect } from '../inspect/inspect.ts';
import { readPrintProfile } from '../inspect/print-profile.ts';
import { computeTargetSize } from '../pipeline/compute-target-size.ts';
import { makePipeline } from '../pipeline/make-pipeline.ts';
import { formatCaption } from './caption.ts';
import { type CliJob, fileProfile } from './read-arguments.ts';
import { compareImages } from './report/compare-images.ts';
import { makePage } from './report/make-page.ts';

/** Limits for local runs, to which no plan applies. */
const localLimits = {
  maxOutputPixels: limits.outputPixels,
  maxJobSeconds: 7 * 24 * 3_600,
  autoEngine: 'photo-fast',
} as const;

/** Limited, because the file is held in memory. */
const maxFileBytes = 1024 ** 3;

type FileRunOptions = CliJob & { modelsDir: string; signal: AbortSignal; onProgress: (share: number) => void };

/** `mask` and `printProfile`: the files of the mask and of the CMYK profile. `custom`: the custom model that the job names. */
type FileInput = {
  file: Buffer;
  pipeline: ImagePipeline;
  mask: Buffer | undefined;
  printProfile: Buffer | undefined;
  custom?: CustomNetwork | undefined;
};

/** Throws AppError. */
export async function makeFilePipeline(job: CliJob & { modelsDir: string }): Promise<FileInput> {
  await checkOutputPaths(job);
  const { engine } = job.recipe;
  const custom = isCustomEngine(engine) ? await findCustomModel(job.modelsDir, engine) : undefined;
  const file = await readInput(job.input);
  const mask = job.mask === undefined ? undefined : await readInput(job.mask);
  const printProfile = job.printProfile === undefined ? undefined : await readProfileFile(job.printProfile);
  const outcome = makePipeline({
    recipe: { ...job.recipe, ...(mask && { mask: parseMask(mask) }) },
    inspection: await inspect(file),
    limits: {
      ...localLimits,
      printProfiles: [genericProfile, ...(printProfile ? [fileProfile] : [])],
      ...(custom && { customModels: { [custom.engine]: custom } }),
    },
    sourceBytes: file.length,
  });
  if (!outcome.ok) throw new AppError(outcome.rejection.code, { detail: outcome.rejection.detail });
  return { file, mask, printProfile, custom, pipeline: outcome.pipeline };
}

async function readProfileFile(path: string): Promise<Buffer> {
  const icc = await readInput(path);
  readPrintProfile(icc, basename(path));
  return icc;
}

async function findCustomModel(modelsDir: string, engine: CustomEngine) {
  try {
    return { engine, ...(await locateCustomModel(modelsDir, nameCustomModel(engine))) };
  } catch (cause) {
    if (!(cause instanceof ModelError)) throw cause;
    throw new AppError('engine_unavailable', { detail: cause.message, cause });
  }
}

/** Reads regular files only, because devices and pipes may be endless. */
async function readInput(input: string): Promise<Buffer> {
  const facts = await stat(input).catch(() => undefined);
  if (facts && facts.size > maxFileBytes)
    throw new AppError('file_too_large', { detail: `The file "${input}" is larger than 1 GB.` });
  const file = facts?.isFile() ? await readFile(input).catch(() => undefined) : undefined;
  if (!file) throw new AppError('no_image', { detail: `Couldn't read the file "${input}".` });
  return file;
}

async function replaceFile(from: string, to: string): Promise<void> {
  const beside = `${to}.${process.pid}.part`;
  try {
    await copyFile(from, beside);
    await rename(beside, to);
  } catch (cause) {
    await rm(beside, { force: true });
    throw new AppError('invalid_parameter', { detail: `Couldn't write the result to "${to}".`, cause });
  }
}

/** Runs the pipeline of a file, writes its outputs, and returns a caption. Temporary files are always deleted. */
export async function processFile(run: FileRunOptions, input: FileInput): Promise<string> {
  const { output, modelsDir, signal, onProgress } = run;
  const { file, pipeline, mask, printProfile, custom } = input;
  const dir = await mkdtemp(join(tmpdir(), 'uprez-image-'));
  const start = performance.now();
  try {
    await writeFile(join(dir, jobFiles.source), file);
    if (mask) await writeFile(join(dir, jobFiles.mask), mask);
    if (printProfile) await writeFile(join(dir, jobFiles.printProfile), printProfile);
    const result = await runInChild({ pipeline, custom, dir, modelsDir, signal, onProgress });
    const ms = performance.now() - start;
    await replaceFile(join(dir, jobFiles.result), output);
    const report = { sourceFile: run.input, resultFile: output, receipt: result, name: basename(run.input) };
    if (run.report) await writeReport(run.report, report);
    if (run.receipt) await writeFile(run.receipt, `${JSON.stringify(result, null, 2)}\n`);
    const before = { ...pipeline.source, sizeBytes: file.length };
    return formatCaption({ before, after: result, ms, engine: result.engine });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

const throwInvalidParameter = (detail: string): never => {
  throw new AppError('invalid_parameter', { detail });
};

/**
 * Checks that all output files can be written and that all paths are different. Throws AppError `invalid_parameter`.
 */
async function checkOutputPaths({ input, output, mask, printProfile, report, receipt }: CliJob): Promise<void> {
  const written = [output, report, receipt].filter((path) => path !== undefined);
  for (const path of written) {
    const facts = await stat(path).catch(() => undefined);
    if (facts && !facts.isFile()) throwInvalidParameter(`"${path}" isn't a regular file. Choose another path.`);
    await access(dirname(path), constants.W_OK).catch(() =>
      throwInvalidParameter(`Couldn't write to the folder of "${path}". Choose another folder.`),
    );
  }
  const named = [input, ...[mask, printProfile].filter((path) => path !== undefined), ...written];
  const folders = await Promise.all(named.map((path) => realpath(dirname(path)).catch(() => dirname(path))));
  const files = named.map((path, i) => join(folders[i] ?? '', basename(path)));
  const twice = files.findIndex((file, i) => files.indexOf(file) !== i);
  if (twice >= 0) throwInvalidParameter(`"${named[twice]}" is used twice. Use a different path for each file.`);
}

type ChildRunOptions = Omit<FileRunOptions, keyof CliJob> &
  Omit<FileInput, 'file' | 'mask' | 'printProfile'> & { dir: string };

const runId = 'cli';

/** Runs a pipeline in the engine child as the current user. Throws AppError with the child's code or `cancelled`. */
async function runInChild({ pipeline, custom, dir, modelsDir, signal, onProgress }: ChildRunOptions): Promise<Receipt> {
  const engines = [pipeline.engine, ...(pipeline.auto?.drawings ? [pipeline.auto.drawings] : [])];
  const options = { engines, modelsDir, custom: custom ? [custom] : [], threads: availableParallelism() };
  const child = startChild('engine/child', options);
  const stop = () => child.kill('cancelled');
  signal.addEventListener('abort', stop);
  const isReply = (message: MessageFromChild): message is Reply => {
    if (message.type === 'progress') onProgress(message.done / message.total);
    return message.type !== 'read' && isReplyTo(runId)(message);
  };
  try {
    const ready = await child.hear(isReady);
    if (ready && !ready.engines.includes(pipeline.engine)) throw new AppError('engine_unavailable');
    const reply = child.hear(isReply);
    child.send({ type: 'run', runId, pipeline, dir });
    const said = await reply;
    if (said?.type === 'done') return said.result;
    if (said?.type === 'failed') throw new AppError(said.code, { detail: said.detail });
    throw new AppError(signal.aborted ? 'cancelled' : 'processing_crashed', { cause: child.takeLog() });
  } finally {
    signal.removeEventListener('abort', stop);
    child.kill('was closed');
  }
}

type ReportInput = { sourceFile: string; resultFile: string; receipt: Receipt; name: string };
type Size = { width: number; height: number };

/** Writes a self-contained HTML page that compares an image with its result. */
export async function writeReport(path: string, { sourceFile, resultFile, receipt, name }: ReportInput): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'uprez-report-'));
  const opened: RowFile[] = [];
  try {
    const source = await openSourceRows(await readFile(sourceFile), receipt, dir);
    opened.push(source);
    const result = await openRows(guardedSharp(await readFile(resultFile), sharpOptions), join(dir, 'result.v'));
    opened.push(result);
    await writeFile(path, makePage({ name, receipt, comparison: await compareImages(source, result) }));
  } finally {
    for (const rows of opened) await rows.close();
    await rm(dir, { recursive: true, force: true });
  }
}

const sharpOptions = { limitInputPixels: false, sequentialRead: true } as const;
const unlimitedTime = {
  maxOutputPixels: limits.outputPixels,
  maxJobSeconds: Number.POSITIVE_INFINITY,
  autoEngine: 'standard',
} as const;

async function openRows(image: Sharp, path: string): Promise<RowFile> {
  await toSrgb(image, await image.metadata()).toFile(path);
  return openVipsFile(path);
}

/** Decodes a source as the engine does, then crops it in the same way as its result. */
async function openSourceRows(file: Buffer, result: Size, dir: string): Promise<RowFile> {
  const inspection = await inspect(file);
  const recipe = { ...recipeDefaults, engine: 'standard', scaleFactor: 1 } as const;
  const outcome = makePipeline({ recipe, inspection, limits: unlimitedTime });
  if (!outcome.ok) throw new Error(outcome.rejection.detail);
  const decoded = join(dir, 'decoded.v');
  const pipeline = { ...outcome.pipeline, crop: findCrop(inspection, result), shrinks: false };
  await decode(await unpackSource({ file, pipeline, path: join(dir, 'unpacked.tif') }), pipeline, decoded);
  return openRows(guardedSharp(decoded, sharpOptions), join(dir, 'source.v'));
}

/** Returns the range of factors that scale a side from `from` to `to` pixels after rounding. */
const scaleRange = (from: number, to: number) => ({ least: (to - 0.5) / from, most: (to + 0.5) / from });

/**
 * Finds out how a source was cropped. Returns null if a single scale factor explains both sides of the result.
 * Otherwise, assumes that the crop is that of fit `cover`.
 */
function findCrop(source: Size, result: Size) {
  const [across, down] = [scaleRange(source.width, result.width), scaleRange(source.height, result.height)];
  if (across.least <= down.most && down.least <= across.most) return null;
  return computeTargetSize({ ...recipeDefaults, fit: 'cover', width: result.width, height: result.height }, source)
    .crop;
}
