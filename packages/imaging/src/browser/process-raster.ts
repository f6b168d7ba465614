import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { RowStream } from '../engine/rows/row-stream.ts';
import { type Comparison, compareResult, scoreFidelity } from '../engine/steps/compare-result.ts';
import { type Upscale, upscaleFrame } from '../engine/upscaler/upscale-color.ts';
import { isGrey, loadRaster, type Raster, streamRaster } from './raster.ts';
import { chooseUpscaleMode, prepareUpscale, type RasterNetwork } from './upscale-raster.ts';

export type RasterJob = {
  source: Raster;
  pipeline: ImagePipeline;
  /** Required for pipelines with a model. */
  network: RasterNetwork | undefined;
  onProgress: (share: number) => void;
};

/**
 * `pipeline`: the pipeline that was run, with either tiles or strips. `networkMs`, `otherMs`, and `checkMs`: time in
 * milliseconds for the model, for colors and resampling, and for the comparison.
 */
export type RasterResult = {
  pipeline: ImagePipeline;
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
  const pipeline = await chooseUpscaleMode(source, job.pipeline, network);
  const stream = await makeStream(source, pipeline, await prepareUpscale({ pipeline, network, onProgress, onMs }));
  const pixels = await loadRaster(stream, (rows) => pipeline.passes === 0 && onProgress(rows / pipeline.output.height));
  const madeAt = performance.now();
  const withDepth = (raster: Raster) => ({ ...raster, depth: 8 as const });
  const difference = await compareResult({ source: withDepth(source), pixels: withDepth(pixels), frames: 1 });
  const checkMs = performance.now() - madeAt;
  const fidelity = scoreFidelity(difference);
  return { pipeline, pixels, difference, fidelity, networkMs, otherMs: madeAt - start - networkMs, checkMs };
}

async function makeStream(source: Raster, pipeline: ImagePipeline, upscale: Upscale | undefined): Promise<RowStream> {
  return upscaleFrame(() => streamRaster(source), { ...pipeline, isGrey: await isGrey(source), upscale });
}
