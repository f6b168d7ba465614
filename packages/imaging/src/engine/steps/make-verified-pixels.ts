import { AppError } from '@uprez/contracts/errors/app-error';
import { aiEngines, isAiEngine } from '@uprez/contracts/policy/engines';
import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { defaultSpeeds } from '../../plan/estimate.ts';
import { planPasses } from '../../plan/plan-passes.ts';
import { usedSize } from '../../plan/target-size.ts';
import type { VipsFile } from '../rows/row-file.ts';
import { openTiffRows } from '../rows/write-tiff.ts';
import type { EngineJob, Stages } from '../stages.ts';
import type { Network } from '../upscaler/network.ts';
import { type ColorDifference, compareResult } from './compare-result.ts';
import { writePixels } from './write-pixels.ts';

export type Made = {
  /** The plan that succeeded. Engine, tile, and tiles may differ from the original. */
  plan: ImagePlan;
  network: Network | undefined;
  difference: ColorDifference;
  retries: Receipt['retries'];
};
export type Making = { job: EngineJob; source: VipsFile; path: string; stages: Stages };

/**
 * Write the pixels of an upscaled image and compare them with the source. When they do not match, try the model again in FP32,
 * then the other loaded models, fastest first. Throws AppError `output_check_failed` when no result matches,
 * `engine_unavailable`, or `cancelled`.
 */
export async function makeVerifiedPixels({ job, source, path, stages }: Making): Promise<Made> {
  const retries: Receipt['retries'] = [];
  let failure: unknown;
  for await (const attempt of attempts(job)) {
    const { plan, networks } = attempt;
    const network = isAiEngine(plan.engine) ? networks[plan.engine] : undefined;
    await writeStage({ job: attempt, source, path, stages });
    try {
      const difference = await stages.run('check', () => checkPixels(source, path, plan));
      return { plan, network, difference, retries };
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'output_check_failed') throw error;
      failure = error;
      retries.push({ engine: plan.engine, variant: network?.variant ?? null, reason: describe(error) });
    }
  }
  throw failure;
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

function withEngine(plan: ImagePlan, engine: ImagePlan['engine']): ImagePlan {
  const used = usedSize(plan);
  const factor = plan.output.width / used.width;
  return { ...plan, engine, ...planPasses({ engine, used, factor, ...plan.output }) };
}

async function checkPixels(source: VipsFile, path: string, plan: ImagePlan): Promise<ColorDifference> {
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
async function writeStage({ job, source, path, stages }: Making): Promise<void> {
  const { enlarge: before = 0, resample = 0 } = stages.stagesMs;
  const networkMs = await stages.run('enlarge', (report) => writePixels({ job, source, path, report }));
  stages.stagesMs.resample = resample + (stages.stagesMs.enlarge ?? 0) - before - networkMs;
  stages.stagesMs.enlarge = before + networkMs;
}

const describe = ({ meta = {} }: AppError) =>
  `did not match the original: ${Object.entries(meta)
    .map(([name, value]) => `${name} ${typeof value === 'number' ? Math.round(value) : value}`)
    .join(', ')}`;
