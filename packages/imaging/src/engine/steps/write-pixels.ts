import { AppError } from '@uprez/contracts/app-error';
import { isAiEngine } from '@uprez/contracts/engines';
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
import { enlarge } from '../upscaler/enlarge.ts';

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
  let done = 0;
  const onTile = (ms: number) => {
    networkMs += ms;
    report(++done / tiles);
  };
  const frames = Array.from({ length: output.frames }, (_, i) => {
    const open = () => source.stream(i * frameHeight, frameHeight);
    return makeFrame(open, { job, isGrey, onTile });
  });
  await writeTiff(path, stackFrames(frames), {
    frames: output.frames,
    icc: findBlob(source.trailer, 'icc-profile-data'),
    onRows: (rows) => {
      throwIfCancelled(job.signal);
      if (tiles === 0) report(rows / (output.height * output.frames));
    },
  });
  return networkMs;
}

type Making = { job: EngineJob; isGrey: boolean; onTile: (ms: number) => void };

/** One picture at its output size. A picture stored as colour whose pixels are all grey is treated as one channel. */
function makeFrame(open: () => RowStream, { job, isGrey, onTile }: Making): RowStream {
  const { channels } = open();
  const alphaAt = channels % 2 === 0 ? channels - 1 : undefined;
  const opaque = alphaAt === undefined ? open() : bleedColour(open());
  const small = isGrey ? pickChannels(opaque, 0, 1) : opaque;
  const { width, height } = job.plan.output;
  const large = resample(throughNetwork(small, job, onTile), { width, height, sharpen: job.plan.passes === 0 });
  const colour = isGrey ? repeatGrey(large) : large;
  if (alphaAt === undefined) return colour;
  return joinAlpha(colour, resample(pickChannels(open(), alphaAt, channels), job.plan.output));
}

function throughNetwork(source: RowStream, job: EngineJob, onTile: (ms: number) => void): RowStream {
  const { engine, tile, passes } = job.plan;
  if (!isAiEngine(engine) || !tile) return source;
  const network = job.networks[engine];
  if (!network) throw new AppError('engine_unavailable');
  let stream = source;
  for (let pass = 0; pass < passes; pass++) stream = enlarge(stream, { network, tile, signal: job.signal, onTile });
  return stream;
}
