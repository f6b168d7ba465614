import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/engines';
import { tileCacheBytes } from '../../plan/estimate.ts';
import { bleedColor, joinAlpha, pickChannels, repeatGrey } from '../rows/channels.ts';
import { resample } from '../rows/resample.ts';
import { findBlob, type VipsFile } from '../rows/row-file.ts';
import { type RowStream, stackFrames } from '../rows/row-stream.ts';
import { writeTiff } from '../rows/write-tiff.ts';
import { type EngineJob, throwIfCancelled } from '../stages.ts';
import { matchColor } from '../upscaler/match-color.ts';
import { cacheTiles, limitMemory, skipFlatTiles } from '../upscaler/network-wrappers.ts';
import { type Upscaling, upscale } from '../upscaler/upscale.ts';
import { isGreyscale } from './palette-png.ts';

export type Writing = {
  job: EngineJob;
  source: VipsFile;
  path: string;
  report: (share: number) => void;
};

/**
 * Write the pixels of the output as a TIFF with the depth, channels, and profile of the source, frames stacked vertically.
 * Color is upscaled by the network, if the plan has one, and resampled to the exact size. Alpha is resampled separately.
 * Returns the milliseconds spent in the network. Throws AppError `engine_unavailable` or `cancelled`.
 */
export async function writePixels({ job, source, path, report }: Writing): Promise<number> {
  const { output, tiles } = job.plan;
  const isGrey = await isGreyscale(source);
  const frameHeight = source.height / output.frames;
  let networkMs = 0;
  let [done, part] = [0, 0];
  const onTile = (ms: number) => {
    networkMs += ms;
    part = 0;
    report(++done / tiles);
  };
  const onPart = (share: number) => {
    part += share;
    report((done + part) / tiles);
  };
  const upscaling = prepareNetwork(job, { onTile, onPart });
  const frames = stackFrames(output.frames, (frame) => {
    return makeFrame(() => source.stream(frame * frameHeight, frameHeight), { job, isGrey, upscaling });
  });
  await writeTiff(path, frames, {
    frames: output.frames,
    icc: findBlob(source.trailer, 'icc-profile-data'),
    onRows: (rows) => {
      throwIfCancelled(job.signal);
      if (tiles === 0) report(rows / (output.height * output.frames));
    },
  });
  return networkMs;
}

type Making = { job: EngineJob; isGrey: boolean; upscaling: Upscaling | undefined };

/** One frame at its output size. RGB images with only grey pixels are processed as one channel. */
function makeFrame(open: () => RowStream, { job, isGrey, upscaling }: Making): RowStream {
  const { channels } = open();
  const alphaAt = channels % 2 === 0 ? channels - 1 : undefined;
  const opaque = alphaAt === undefined ? open() : bleedColor(open());
  const small = isGrey ? pickChannels(opaque, 0, 1) : opaque;
  const { width, height } = job.plan.output;
  const large = resample(throughNetwork(small, job.plan.passes, upscaling), {
    width,
    height,
    sharpen: job.plan.passes === 0,
  });
  const color = isGrey ? repeatGrey(large) : large;
  if (alphaAt === undefined) return color;
  return joinAlpha(color, resample(pickChannels(open(), alphaAt, channels), job.plan.output));
}

/** Images with fewer tiles finish before early progress would help. */
const fewTiles = 4;

type TileEvents = { onTile: (ms: number) => void; onPart: (share: number) => void };

/** Wrap the network of a plan for this job. Returns undefined for `standard`. */
function prepareNetwork(job: EngineJob, { onTile, onPart }: TileEvents): Upscaling | undefined {
  const { engine, tile, tiles, source } = job.plan;
  if (!isAiEngine(engine) || !tile) return undefined;
  const loaded = job.networks[engine];
  if (!loaded) throw new AppError('engine_unavailable');
  const bounded = limitMemory(loaded, {
    maxBytes: job.memoryBytes,
    overlap: tile.overlap,
    startsSmall: tiles > fewTiles,
    onPart,
  });
  const network = source.frames > 1 ? cacheTiles(bounded, tileCacheBytes) : bounded;
  return { network: skipFlatTiles(network), tile, signal: job.signal, onTile };
}

function throughNetwork(source: RowStream, passes: number, upscaling: Upscaling | undefined): RowStream {
  if (!upscaling) return source;
  let stream = source;
  for (let pass = 0; pass < passes; pass++) stream = matchColor(stream, (small) => upscale(small, upscaling));
  return stream;
}
