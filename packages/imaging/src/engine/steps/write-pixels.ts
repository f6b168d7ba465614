import { AppError } from '@uprez/contracts/errors/app-error';
import { isAiEngine } from '@uprez/contracts/policy/engines';
import { rememberedBytes } from '../../plan/network-bytes.ts';
import type { EngineJob } from '../engine-job.ts';
import { bleedColour } from '../rows/bleed-colour.ts';
import { joinAlpha, pickChannels, repeatGrey } from '../rows/channels.ts';
import { isGreyStored } from '../rows/is-grey-stored.ts';
import { resample } from '../rows/resample.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { stackFrames } from '../rows/stack-frames.ts';
import { findBlob, type VipsFile } from '../rows/vips-file.ts';
import { writeTiff } from '../rows/write-tiff.ts';
import { throwIfCancelled } from '../stages.ts';
import { boundMemory } from '../upscaler/bound-memory.ts';
import { type Enlarging, enlarge } from '../upscaler/enlarge.ts';
import { fillFlatTiles } from '../upscaler/fill-flat-tiles.ts';
import { keepColour } from '../upscaler/keep-colour.ts';
import { rememberTiles } from '../upscaler/remember-tiles.ts';

export type Writing = {
  job: EngineJob;
  source: VipsFile;
  path: string;
  report: (share: number) => void;
};

/**
 * Write the output's pixels as a TIFF with the source's depth, channels and profile; frames one below the other.
 * Colour goes through the network, where the plan has one, and then to the exact size; alpha is resampled on its own.
 * Answers the milliseconds spent in the network. Throws AppError `engine_unavailable` or `cancelled`.
 */
export async function writePixels({ job, source, path, report }: Writing): Promise<number> {
  const { output, tiles } = job.plan;
  const isGrey = await isGreyStored(source);
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
  const enlarging = prepareNetwork(job, { onTile, onPart });
  const frames = stackFrames(output.frames, (frame) => {
    return makeFrame(() => source.stream(frame * frameHeight, frameHeight), { job, isGrey, enlarging });
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

type Making = { job: EngineJob; isGrey: boolean; enlarging: Enlarging | undefined };

/** One image at its output size. An image stored as colour whose pixels are all grey is treated as one channel. */
function makeFrame(open: () => RowStream, { job, isGrey, enlarging }: Making): RowStream {
  const { channels } = open();
  const alphaAt = channels % 2 === 0 ? channels - 1 : undefined;
  const opaque = alphaAt === undefined ? open() : bleedColour(open());
  const small = isGrey ? pickChannels(opaque, 0, 1) : opaque;
  const { width, height } = job.plan.output;
  const large = resample(throughNetwork(small, job.plan.passes, enlarging), {
    width,
    height,
    sharpen: job.plan.passes === 0,
  });
  const colour = isGrey ? repeatGrey(large) : large;
  if (alphaAt === undefined) return colour;
  return joinAlpha(colour, resample(pickChannels(open(), alphaAt, channels), job.plan.output));
}

/** Images of so few tiles are done before early progress would help. */
const fewTiles = 4;

/** The plan's network as this job uses it; undefined for `standard`. */
type Watch = { onTile: (ms: number) => void; onPart: (share: number) => void };

function prepareNetwork(job: EngineJob, { onTile, onPart }: Watch): Enlarging | undefined {
  const { engine, tile, tiles, source } = job.plan;
  if (!isAiEngine(engine) || !tile) return undefined;
  const loaded = job.networks[engine];
  if (!loaded) throw new AppError('engine_unavailable');
  const bounded = boundMemory(loaded, {
    maxBytes: job.memoryBytes,
    overlap: tile.overlap,
    startsSmall: tiles > fewTiles,
    onPart,
  });
  const network = source.frames > 1 ? rememberTiles(bounded, rememberedBytes) : bounded;
  return { network: fillFlatTiles(network), tile, signal: job.signal, onTile };
}

function throughNetwork(source: RowStream, passes: number, enlarging: Enlarging | undefined): RowStream {
  if (!enlarging) return source;
  let stream = source;
  for (let pass = 0; pass < passes; pass++) stream = keepColour(stream, (small) => enlarge(small, enlarging));
  return stream;
}
