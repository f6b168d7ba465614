import type { ImagePlan } from '@uprez/contracts/schemas/image-plan';
import { bleedColor, joinAlpha, pickChannels, repeatGrey } from '../engine/rows/channels.ts';
import { resample } from '../engine/rows/resample.ts';
import type { RowStream } from '../engine/rows/row-stream.ts';
import { type Comparison, compareResult } from '../engine/steps/compare-result.ts';
import { scoreFidelity } from '../engine/steps/score-fidelity.ts';
import { skipFlatTiles } from '../engine/upscaler/skip-flat-tiles.ts';
import { upscale } from '../engine/upscaler/upscale.ts';
import { upscaleColor } from '../engine/upscaler/upscale-color.ts';
import { isGrey, loadRaster, type Raster, streamRaster } from './raster.ts';

/** Upscales one tile of `side` x `side` planar RGB floats 0-1 by 4. */
export type RunTile = (tile: Float32Array, side: number) => Promise<Float32Array>;

export type RasterJob = {
  source: Raster;
  plan: ImagePlan;
  /** Required for plans with a model. */
  runTile: RunTile | undefined;
  /** Progress from 0 to 1. */
  onProgress: (share: number) => void;
};

/** `networkMs`: time in the model. `otherMs`: time for colors and resampling. `checkMs`: for the comparison. */
export type RasterResult = {
  pixels: Awaited<ReturnType<typeof loadRaster>>;
  difference: Comparison;
  fidelity: ReturnType<typeof scoreFidelity>;
  networkMs: number;
  otherMs: number;
  checkMs: number;
};

/**
 * Run a plan on pixels in memory, with the same steps as the engine of the server: the same tiles, color matching, and
 * resampling. The result is compared with its source. Throws AppError `output_check_failed` when they do not match.
 */
export async function processRaster(job: RasterJob): Promise<RasterResult> {
  const { source, plan } = job;
  const start = performance.now();
  let networkMs = 0;
  const onTile = (ms: number) => {
    networkMs += ms;
  };
  const stream = await makeStream(job, onTile);
  const pixels = await loadRaster(stream, (rows) => plan.tiles === 0 && job.onProgress(rows / plan.output.height));
  const madeAt = performance.now();
  const withDepth = (raster: Raster) => ({ ...raster, depth: 8 as const });
  const difference = await compareResult({ source: withDepth(source), pixels: withDepth(pixels), frames: 1 });
  const checkMs = performance.now() - madeAt;
  const fidelity = scoreFidelity(difference);
  return { pixels, difference, fidelity, networkMs, otherMs: madeAt - start - networkMs, checkMs };
}

async function makeStream(job: RasterJob, onTile: (ms: number) => void): Promise<RowStream> {
  const { source, plan } = job;
  const { width, height } = plan.output;
  const hasAlpha = source.channels === 4;
  const opaque = hasAlpha ? bleedColor(streamRaster(source)) : streamRaster(source);
  const grey = await isGrey(source);
  let color = upscaleColor(grey ? pickChannels(opaque, 0, 1) : opaque, {
    ...plan,
    upscale: (small) => upscaleTiles(small, job, onTile),
  });
  if (grey) color = repeatGrey(color);
  return hasAlpha ? joinAlpha(color, resample(pickChannels(streamRaster(source), 3, 4), { width, height })) : color;
}

function upscaleTiles(
  small: RowStream,
  { plan, runTile, onProgress }: RasterJob,
  onTile: (ms: number) => void,
): RowStream {
  const { tile, tiles } = plan;
  if (!runTile || !tile) throw new Error('the plan needs a model');
  let done = 0;
  return upscale(small, {
    network: skipFlatTiles({ run: runTile, close: async () => undefined }),
    tile,
    // The worker is terminated instead.
    signal: new AbortController().signal,
    onTile: (ms) => {
      onTile(ms);
      onProgress(++done / tiles);
    },
  });
}
