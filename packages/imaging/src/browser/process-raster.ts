import { isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import { blendParts, type PartRows } from '../engine/detail/blend-parts.ts';
import { describeWork } from '../engine/detail/describe-work.ts';
import { measureDetail } from '../engine/detail/measure-detail.ts';
import { addParts, type PlannedPart, planWork } from '../engine/detail/plan-work.ts';
import { blendStrength } from '../engine/rows/blend-strength.ts';
import { cropRows, type RowStream } from '../engine/rows/row-stream.ts';
import { type Comparison, compareResult, scoreFidelity } from '../engine/steps/compare-result.ts';
import { type FrameInput, upscaleFrame } from '../engine/upscaler/upscale-color.ts';
import { mayWorkSmaller } from '../pipeline/working-size.ts';
import { isGray, loadRaster, type Raster, streamRaster } from './raster.ts';
import { chooseUpscaleMode, prepareUpscale, type RasterNetwork } from './upscale-raster.ts';

export type RasterJob = {
  source: Raster;
  pipeline: ImagePipeline;
  /** Required for pipelines with a model. */
  network: RasterNetwork | undefined;
  onProgress: (share: number) => void;
};

/**
 * `pipeline`: the pipeline that was run, with either tiles or strips. `work`: the sizes at which it was processed, if
 * its detail was measured. `networkMs`, `otherMs`, and `checkMs`: time in milliseconds for the model, for colors and
 * resampling, and for the comparison.
 */
export type RasterResult = {
  pipeline: ImagePipeline;
  work: ReturnType<typeof describeWork> | undefined;
  pixels: Awaited<ReturnType<typeof loadRaster>>;
  difference: Comparison;
  fidelity: ReturnType<typeof scoreFidelity>;
  networkMs: number;
  otherMs: number;
  checkMs: number;
};

/**
 * Runs a pipeline on pixels in memory. The strips or tiles, color matching, and resampling are the same as in the
 * server's engine. Compares the result with its source. Throws AppError `output_check_failed` if they don't match.
 */
export async function processRaster({ source, network, onProgress, ...job }: RasterJob): Promise<RasterResult> {
  const start = performance.now();
  let networkMs = 0;
  const onMs = (ms: number) => {
    networkMs += ms;
  };
  const chosen = await chooseUpscaleMode(source, job.pipeline, network);
  const detail = mayWorkSmaller(chosen) ? await measureDetail({ ...source, depth: 8 }) : undefined;
  const parts = detail ? planWork(chosen, detail) : [];
  const pipeline = parts.length > 0 ? addParts(chosen, parts) : chosen;
  const run = { source, network, isGray: await isGray(source), onMs };
  const resize = (changes: Pick<FrameInput, 'upscale' | 'passes'>) =>
    upscaleFrame(() => streamRaster(source), { ...pipeline, isGray: run.isGray, ...changes });
  const image =
    parts.length > 0
      ? await openParts(parts, { ...run, onProgress })
      : resize({ passes: pipeline.passes, upscale: await prepareUpscale({ pipeline, network, onProgress, onMs }) });
  const { strength } = isAiEngine(pipeline.engine) ? pipeline.output : {};
  const stream = blendStrength(image, { openPlain: () => resize({ passes: 0, upscale: undefined }), strength });
  const pixels = await loadRaster(stream, (rows) => pipeline.passes === 0 && onProgress(rows / pipeline.output.height));
  const work = detail && describeWork(detail, { parts, source });
  const madeAt = performance.now();
  const withDepth = (raster: Raster) => ({ ...raster, depth: 8 as const });
  const difference = await compareResult({ source: withDepth(source), pixels: withDepth(pixels), frames: 1 });
  const checkMs = performance.now() - madeAt;
  const fidelity = scoreFidelity(difference);
  return { pipeline, work, pixels, difference, fidelity, networkMs, otherMs: madeAt - start - networkMs, checkMs };
}

type PartsInput = Pick<RasterJob, 'source' | 'network' | 'onProgress'> & {
  isGray: boolean;
  onMs: (ms: number) => void;
};

/** Processes all parts but the first, and opens the first with the others laid over it. */
async function openParts([base, ...others]: PlannedPart[], input: PartsInput): Promise<RowStream> {
  const work = ({ part }: PlannedPart) => part.area.width * part.area.height;
  const total = [base, ...others].reduce((sum, planned) => sum + (planned ? work(planned) : 0), 0);
  let done = 0;
  const open = async (planned: PlannedPart) => {
    const before = done;
    done += work(planned);
    const onProgress = (share: number) => input.onProgress((before + share * work(planned)) / total);
    return openPart(planned, { ...input, onProgress });
  };
  const rows: PartRows[] = [];
  for (const planned of others) {
    const { readRows } = await loadRaster(await open(planned), () => {});
    rows.push({ part: planned.part, readRows });
  }
  return blendParts(await open(base as PlannedPart), rows);
}

async function openPart({ part, pipeline }: PlannedPart, { source, network, isGray, ...on }: PartsInput) {
  const { top, height } = part.source;
  const rows = { ...source, height, readRows: (y: number, count: number) => source.readRows(top + y, count) };
  const open = () => cropRows(streamRaster(rows), { ...part.source, top: 0 });
  const upscale = await prepareUpscale({ pipeline, network, ...on });
  return upscaleFrame(open, { ...pipeline, isGray, upscale, placed: { part, whole: source } });
}
