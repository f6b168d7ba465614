import { AppError } from '@uprez/contracts/errors/app-error';
import { aiEngines, type EngineName, isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { formatSeconds, formatSecondsAbove } from '@uprez/contracts/texts/format';
import { choosePasses, noStrips } from '../../pipeline/choose-passes.ts';
import { usedSize } from '../../pipeline/compute-target-size.ts';
import { defaultSpeeds, estimateSeconds } from '../../pipeline/estimate.ts';
import { mayWorkSmaller } from '../../pipeline/working-size.ts';
import { type DetailMap, measureDetail } from '../detail/measure-detail.ts';
import { addParts, measureShare, type PlannedPart, planWork } from '../detail/plan-work.ts';
import type { RowFile, VipsFile } from '../rows/row-file.ts';
import { openTiffRows } from '../rows/write-tiff.ts';
import type { EngineJob, Stages } from '../stages.ts';
import { prefersStrips } from '../strips/prefers-strips.ts';
import type { Network } from '../upscaler/network.ts';
import { isOutOfMemory } from '../upscaler/network-wrappers.ts';
import { type Comparison, compareResult } from './compare-result.ts';
import { findNetwork, type WritePixelsInput, writePixels } from './write-pixels.ts';

export type VerifiedPixels = {
  /** Pipeline that succeeded. Its engine may differ from the original, and it has either tiles or strips. */
  pipeline: ImagePipeline;
  network: Network | undefined;
  difference: Comparison;
  retries: Receipt['retries'];
  /** Parts that were processed at their own working sizes. Empty if the image was processed as a whole. */
  parts: PlannedPart[];
  detail: DetailMap | undefined;
};
type MakePixelsInput = Omit<WritePixelsInput, 'parts' | 'report'> & { stages: Stages };
type Attempt = MakePixelsInput & { detail: DetailMap | undefined };

/**
 * Writes the pixels of an upscaled image and compares them with the source. If they don't match, tries the model again
 * in FP32, then the other loaded models, fastest first. Throws AppError `engine_unavailable` or `cancelled`, and
 * `output_check_failed` if no result matches.
 */
export async function makeVerifiedPixels({ job, stages, ...files }: MakePixelsInput): Promise<VerifiedPixels> {
  const retries: Receipt['retries'] = [];
  let failure: unknown;
  const detail = mayWorkSmaller(job.pipeline)
    ? await stages.measure('decode', () => measureDetail(files.source))
    : undefined;
  if (detail) checkMeasuredTime(job, measureShare(job.pipeline, planWork(job.pipeline, detail)));
  for await (const attempt of listAttempts(job)) {
    const { engine } = attempt.pipeline;
    const network = isAiEngine(engine) ? attempt.networks[engine] : undefined;
    const failed = { engine, variant: network?.variant ?? null };
    const onRetry = (reason: string) => retries.push({ ...failed, reason });
    const { pipeline, parts } = await writeWithinMemory({ job: attempt, stages, detail, ...files }, onRetry);
    try {
      const difference = await stages.run('check', () => checkPixels(files.source, files.path, pipeline));
      return { pipeline, network, difference, retries, parts, detail };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'output_check_failed') throw error;
      failure = error;
      onRetry(describeMismatch(error));
    }
  }
  throw failure;
}

type Written = Pick<VerifiedPixels, 'pipeline' | 'parts'>;

/**
 * Writes the pixels in strips or tiles. If strips run out of memory, writes them in tiles instead. Returns the pipeline
 * that succeeded.
 */
async function writeWithinMemory(
  { job, detail, ...rest }: Attempt,
  onRetry: (reason: string) => void,
): Promise<Written> {
  const write = async (pipeline: ImagePipeline): Promise<Written> => {
    const parts = detail ? planWork(pipeline, detail) : [];
    rest.stages.reduceNetwork(measureShare(pipeline, parts));
    await writeStage({ job: { ...job, pipeline }, parts, ...rest });
    return { pipeline: parts.length > 0 ? addParts(pipeline, parts) : pipeline, parts };
  };
  const pipeline = await chooseStrips(job, rest.source);
  try {
    return await write(pipeline);
  } catch (error) {
    if (!pipeline.strip || !isOutOfMemory(error)) throw error;
    onRetry('strips did not fit the memory');
    unloadStrips(job);
    return write(withoutStrips(job.pipeline));
  }
}

/** Throws AppError `job_too_long` if the run would take too long although the detail of the image is known. */
function checkMeasuredTime({ pipeline, maxSeconds = Number.POSITIVE_INFINITY }: EngineJob, share: number): void {
  const seconds = Math.ceil(estimateSeconds(pipeline, share));
  if (seconds <= maxSeconds) return;
  const detail = `Processing would take about ${formatSecondsAbove(seconds, maxSeconds)} because the image is sharp. The maximum is ${formatSeconds(maxSeconds)}. Use a faster engine or a smaller scale.`;
  throw new AppError('job_too_long', { detail, meta: { limit: maxSeconds, value: seconds } });
}

/** Yields the original job, then its fallbacks. A model that is loaded for one attempt is closed after that attempt. */
async function* listAttempts(job: EngineJob): AsyncGenerator<EngineJob> {
  const { engine } = job.pipeline;
  yield job;
  if (!isAiEngine(engine)) return;
  const fp32 = await job.networks[engine]?.openFp32?.();
  if (fp32) {
    try {
      yield { ...job, networks: { [engine]: fp32 } };
    } finally {
      await fp32.close();
    }
  }
  const speed = defaultSpeeds.network;
  const others = aiEngines.filter((name) => name !== engine && job.networks[name]);
  for (const other of others.sort((a, b) => speed[b] - speed[a]))
    yield { ...job, pipeline: withEngine(job.pipeline, other) };
}

/** Returns the pipeline with a built-in engine, and with the passes, tiles, and strips for that engine. */
export function withEngine({ custom: _, ...pipeline }: ImagePipeline, engine: EngineName): ImagePipeline {
  const used = usedSize(pipeline);
  const factor = pipeline.output.width / used.width;
  return { ...pipeline, engine, ...choosePasses({ engine, used, factor, ...pipeline.output }) };
}

async function checkPixels(source: VipsFile, path: string, pipeline: ImagePipeline): Promise<Comparison> {
  const { width, height, frames } = pipeline.output;
  const { channels, depth, alpha } = source;
  const pixels = await openTiffRows(path, { width, height: height * frames, channels, depth, alpha });
  try {
    return await compareResult({ source, pixels, frames });
  } finally {
    await pixels.close();
  }
}

/** Time outside the network counts toward the `resample` stage. */
async function writeStage({ stages, ...making }: Omit<WritePixelsInput, 'report'> & { stages: Stages }): Promise<void> {
  const { enlarge: before = 0, resample = 0 } = stages.stagesMs;
  const networkMs = await stages.run('enlarge', (report) => writePixels({ ...making, report }));
  stages.stagesMs.resample = resample + (stages.stagesMs.enlarge ?? 0) - before - networkMs;
  stages.stagesMs.enlarge = before + networkMs;
}

const describeMismatch = ({ meta = {} }: AppError) =>
  `did not match the original: ${Object.entries(meta)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : value}`)
    .join(', ')}`;

/** Chooses strips or tiles for the decoded pixels. Returns the pipeline with only the chosen kind. */
async function chooseStrips(job: EngineJob, source: RowFile): Promise<ImagePipeline> {
  const usesStrips = findNetwork(job)?.strips && (await prefersStrips(source, job.pipeline));
  return usesStrips ? { ...job.pipeline, tile: null, tiles: 0 } : withoutStrips(job.pipeline);
}

const withoutStrips = (pipeline: ImagePipeline): ImagePipeline => ({ ...pipeline, ...noStrips });

/** Unloads a job's strip models to free memory. They are loaded again when needed. */
const unloadStrips = (job: EngineJob): void => findNetwork(job)?.strips?.free();
