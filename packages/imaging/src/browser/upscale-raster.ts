import type { ImagePipeline } from '@uprez/contracts/schemas/image-pipeline';
import type { RowStream } from '../engine/rows/row-stream.ts';
import { prefersStrips } from '../engine/strips/prefers-strips.ts';
import type { StripNetwork } from '../engine/strips/strip-network.ts';
import { upscaleBand } from '../engine/strips/upscale-band.ts';
import { skipFlatTiles } from '../engine/upscaler/skip-flat-tiles.ts';
import { upscale } from '../engine/upscaler/upscale.ts';
import type { Upscale } from '../engine/upscaler/upscale-color.ts';
import { noStrips } from '../pipeline/choose-passes.ts';
import type { Raster } from './raster.ts';

/** Upscales a tile of `side` x `side` pixels by a factor of 4. Tiles are planar RGB floats in 0-1. */
export type RunTile = (tile: Float32Array, side: number) => Promise<Float32Array>;

/** A loaded model. `openStrips` loads its strip models. It's missing if the model can run only in tiles. */
export type RasterNetwork = { runTile: RunTile; openStrips?: (() => Promise<StripNetwork>) | undefined };

type UpscaleInput = {
  pipeline: ImagePipeline;
  network: RasterNetwork | undefined;
  onProgress: (share: number) => void;
  /** Called after each model run with its duration, in milliseconds. */
  onMs: (ms: number) => void;
};

/** Returns the pipeline without the mode that wasn't chosen. */
export async function chooseUpscaleMode(
  source: Raster,
  pipeline: ImagePipeline,
  network?: RasterNetwork,
): Promise<ImagePipeline> {
  const usesStrips = network?.openStrips && (await prefersStrips(source, pipeline));
  return usesStrips ? { ...pipeline, tile: null, tiles: 0 } : { ...pipeline, ...noStrips };
}

/**
 * Prepares the model of a pipeline that has either strips or tiles. Returns undefined for pipelines without a model.
 */
export async function prepareUpscale({
  pipeline,
  network,
  onProgress,
  onMs,
}: UpscaleInput): Promise<Upscale | undefined> {
  const { passes, tile, tiles, strip, strips } = pipeline;
  if (passes === 0) return undefined;
  // This signal is never aborted. To cancel a run, the worker is terminated.
  const { signal } = new AbortController();
  let done = 0;
  if (strip && network?.openStrips) {
    const opened = await network.openStrips();
    const onStrip = () => onProgress(done++ / strips);
    return (small: RowStream) => upscaleBand(small, { ...strip, strips: opened, signal, onRun: onMs, onStrip });
  }
  if (!tile || !network) throw new Error('the pipeline needs a model');
  const tiled = skipFlatTiles({ run: network.runTile, close: async () => undefined });
  const onTile = (ms: number) => {
    onMs(ms);
    onProgress(++done / tiles);
  };
  return (small) => upscale(small, { network: tiled, tile, signal, onTile });
}
