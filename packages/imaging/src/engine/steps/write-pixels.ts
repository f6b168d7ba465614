import { AppError } from '@uprez/contracts/app-error';
import { isAiEngine } from '@uprez/contracts/engines';
import type { EngineJob } from '../engine-job.ts';
import { bleedColour } from '../rows/bleed-colour.ts';
import { joinAlpha, pickChannels } from '../rows/channels.ts';
import { resample } from '../rows/resample.ts';
import type { RowFile } from '../rows/row-file.ts';
import type { RowStream } from '../rows/row-stream.ts';
import { writeTiff } from '../rows/write-tiff.ts';
import { throwIfCancelled } from '../stages.ts';
import { enlarge } from '../upscaler/enlarge.ts';

export type Writing = {
  job: EngineJob;
  source: RowFile;
  path: string;
  report: (share: number) => void;
};

/**
 * Write the output's pixels as a TIFF. Colour goes through the network, where the plan has one, and then to the exact
 * size; alpha is resampled on its own. Answers the milliseconds spent in the network. Throws AppError `engine_unavailable` or `cancelled`.
 */
export async function writePixels({ job, source, path, report }: Writing): Promise<number> {
  const { output, tiles } = job.plan;
  const hasAlpha = source.channels % 2 === 0;
  const opaque = hasAlpha ? bleedColour(source.stream()) : source.stream();
  let networkMs = 0;
  const onTile = (done: number, ms: number) => {
    networkMs += ms;
    report(done / tiles);
  };
  const colour = resample(throughNetwork(opaque, job, onTile), output);
  const whole = hasAlpha
    ? joinAlpha(colour, resample(pickChannels(source.stream(), source.channels - 1, source.channels), output))
    : colour;
  await writeTiff(path, whole, (rows) => {
    throwIfCancelled(job.signal);
    if (tiles === 0) report(rows / output.height);
  });
  return networkMs;
}

function throughNetwork(source: RowStream, job: EngineJob, onTile: (done: number, ms: number) => void): RowStream {
  const { engine, tile, passes } = job.plan;
  if (!isAiEngine(engine) || !tile) return source;
  const network = job.networks[engine];
  if (!network) throw new AppError('engine_unavailable');
  let done = 0;
  let stream = source;
  for (let pass = 0; pass < passes; pass++)
    stream = enlarge(stream, { network, tile, signal: job.signal, onTile: (ms) => onTile(++done, ms) });
  return stream;
}
