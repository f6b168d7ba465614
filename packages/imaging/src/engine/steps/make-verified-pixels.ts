import { AppError } from '@uprez/contracts/errors/app-error';
import { aiEngines, isAiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { defaultSpeeds } from '../../plan/estimate.ts';
import { planPasses } from '../../plan/plan-passes.ts';
import { usedSize } from '../../plan/target-size.ts';
import { addGrain } from '../rows/add-grain.ts';
import { findBlob, type VipsFile } from '../rows/row-file.ts';
import { type RowStream, stackFrames } from '../rows/row-stream.ts';
import { openTiffRows, writeTiff } from '../rows/write-tiff.ts';
import { type EngineJob, type Stages, throwIfCancelled } from '../stages.ts';
import type { Network } from '../upscaler/network.ts';
import { isOutOfMemory } from '../upscaler/network-wrappers.ts';
import { chooseStrips, freeStrips, prepareNetwork, useTiles } from '../upscaler/prepare-network.ts';
import { type Upscale, upscaleFrame } from '../upscaler/upscale-color.ts';
import { type Comparison, compareResult } from './compare-result.ts';
import { isGreyscale } from './palette-png.ts';

export type Made = {
  /** The plan that succeeded. Its engine may differ from the original, and it has either tiles or strips. */
  plan: ImagePlan;
  network: Network | undefined;
  difference: Comparison;
  retries: Receipt['retries'];
};
/** `seed`: of film grain, 32 bits. */
type Making = { job: EngineJob; source: VipsFile; path: string; seed: number; stages: Stages };
type Writing = Omit<Making, 'stages'> & { report: (share: number) => void };

/**
 * Write the pixels of an upscaled image and compare them with the source. When they do not match, try the model again in FP32,
 * then the other loaded models, fastest first. Throws AppError `output_check_failed` when no result matches,
 * `engine_unavailable`, or `cancelled`.
 */
export async function makeVerifiedPixels({ job, stages, ...files }: Making): Promise<Made> {
  const retries: Receipt['retries'] = [];
  let failure: unknown;
  for await (const planned of attempts(job)) {
    const { engine } = planned.plan;
    const network = isAiEngine(engine) ? planned.networks[engine] : undefined;
    const failed = { engine, variant: network?.variant ?? null };
    const onRetry = (reason: string) => retries.push({ ...failed, reason });
    const plan = await writeWithinMemory({ job: planned, stages, ...files }, onRetry);
    try {
      const difference = await stages.run('check', () => checkPixels(files.source, files.path, plan));
      return { plan, network, difference, retries };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'output_check_failed') throw error;
      failure = error;
      onRetry(describe(error));
    }
  }
  throw failure;
}

/** Write the pixels in strips or tiles, and in tiles when strips don't fit the memory. Returns the plan that was run. */
async function writeWithinMemory({ job, ...rest }: Making, onRetry: (reason: string) => void): Promise<ImagePlan> {
  const plan = await chooseStrips(job, rest.source);
  try {
    await writeStage({ job: { ...job, plan }, ...rest });
    return plan;
  } catch (error) {
    if (!plan.strip || !isOutOfMemory(error)) throw error;
    onRetry('strips did not fit the memory');
    freeStrips(job);
    const inTiles = useTiles(job.plan);
    await writeStage({ job: { ...job, plan: inTiles }, ...rest });
    return inTiles;
  }
}

/** Yield the job as planned, then its fallbacks. A model that was loaded for one attempt is closed after it. */
async function* attempts(job: EngineJob): AsyncGenerator<EngineJob> {
  const { engine } = job.plan;
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
  for (const other of others.sort((a, b) => speed[b] - speed[a])) yield { ...job, plan: withEngine(job.plan, other) };
}

/** The same plan with another engine, and tiles for it. */
export function withEngine(plan: ImagePlan, engine: ImagePlan['engine']): ImagePlan {
  const used = usedSize(plan);
  const factor = plan.output.width / used.width;
  return { ...plan, engine, ...planPasses({ engine, used, factor, ...plan.output }) };
}

async function checkPixels(source: VipsFile, path: string, plan: ImagePlan): Promise<Comparison> {
  const { width, height, frames } = plan.output;
  const { channels, depth } = source;
  const pixels = await openTiffRows(path, { width, height: height * frames, channels, depth });
  try {
    return await compareResult({ source, pixels, frames });
  } finally {
    await pixels.close();
  }
}

/** Write the pixels. The time outside the network counts as the stage `resample`. */
async function writeStage({ stages, ...making }: Making): Promise<void> {
  const { enlarge: before = 0, resample = 0 } = stages.stagesMs;
  const networkMs = await stages.run('enlarge', (report) => writePixels({ ...making, report }));
  stages.stagesMs.resample = resample + (stages.stagesMs.enlarge ?? 0) - before - networkMs;
  stages.stagesMs.enlarge = before + networkMs;
}

const describe = ({ meta = {} }: AppError) =>
  `did not match the original: ${Object.entries(meta)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : value}`)
    .join(', ')}`;

/**
 * Write the pixels of the output as a TIFF with the depth, channels, and profile of the source, frames stacked vertically.
 * Color is upscaled by the network, if the plan has one, and resampled to the exact size. Alpha is resampled separately.
 * Returns the milliseconds spent in the network. Throws AppError `engine_unavailable` or `cancelled`.
 */
export async function writePixels({ job, source, path, seed, report }: Writing): Promise<number> {
  const { output, tiles, strips } = job.plan;
  const isGrey = await isGreyscale(source);
  const frameHeight = source.height / output.frames;
  let networkMs = 0;
  let [done, part] = [0, 0];
  const steps = tiles + strips;
  const onStep = (ms: number) => {
    networkMs += ms;
    part = 0;
    report(Math.min(1, ++done / steps));
  };
  const onPart = (share: number) => {
    part += share;
    report((done + part) / steps);
  };
  const onMs = (ms: number) => {
    networkMs += ms;
  };
  // Threads are stopped when the rows can't be written.
  const ended = new AbortController();
  const signal = AbortSignal.any([job.signal, ended.signal]);
  const upscale = prepareNetwork({ ...job, signal }, { onStep, onPart, onMs });
  const frames = stackFrames(output.frames, (frame) =>
    makeFrame(() => source.stream(frame * frameHeight, frameHeight), {
      ...{ plan: job.plan, isGrey, upscale },
      seed: seed + frame,
    }),
  );
  await writeTiff(path, frames, {
    frames: output.frames,
    icc: findBlob(source.trailer, 'icc-profile-data'),
    onRows: (rows) => {
      throwIfCancelled(job.signal);
      if (steps === 0) report(rows / (output.height * output.frames));
    },
  }).finally(() => ended.abort());
  return networkMs;
}

type Frame = { plan: ImagePlan; isGrey: boolean; seed: number; upscale: Upscale | undefined };

/** One frame at its output size. RGB images with only gray pixels are processed as one channel. */
function makeFrame(open: () => RowStream, { plan, isGrey, seed, upscale }: Frame): RowStream {
  const { grain: amount = 0 } = plan.output;
  return addGrain(upscaleFrame(open, { ...plan, isGrey, upscale }), { amount, seed });
}
