import type { Range } from '@uprez/models/streaming/row-ranges';
import { measureBand, startStrips } from './chain-strips.ts';
import type { Band } from './strip-columns.ts';
import type { NextStrip, ReadRows, StripPart, StripSize } from './strip-run.ts';

/** How to run a network over an image. `onRun`: called after each run of a part, with its milliseconds. */
export type StripJob = { size: StripSize; readRows: ReadRows; onRun: (ms: number) => void };

/**
 * A loaded network. `start` begins the run over an image or, if it `runsBands`, over a band. `measure`: the columns of the image that
 * a band reads, and the columns of the result that it completes, which are the last ones of its output.
 */
export type StripNetwork = {
  runsBands: boolean;
  start: (job: StripJob) => NextStrip;
  measure: (band: Band) => { input: Range; output: Range };
};

/** Join the loaded strip models of a network. */
export const joinParts = (parts: StripPart[], runsBands: boolean): StripNetwork => ({
  runsBands,
  start: ({ size, readRows, onRun }) =>
    startStrips(
      parts.map((part) => timed(part, onRun)),
      size,
      readRows,
    ),
  measure: (band) => measureBand(parts, band),
});

function timed({ plan, run }: StripPart, onRun: (ms: number) => void): StripPart {
  const runTimed: StripPart['run'] = async (inputs, outputs) => {
    const start = performance.now();
    const results = await run(inputs, outputs);
    onRun(performance.now() - start);
    return results;
  };
  return { plan, run: runTimed };
}
