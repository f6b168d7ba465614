import type { StripLayout } from '@uprez/models/streaming/lay-out-strip';
import { type RowRange, rangeOf, rowCountAfter } from '@uprez/models/streaming/row-ranges';
import { type Band, followBand, measureColumns } from './strip-columns.ts';
import {
  type NextStrip,
  openRowQueue,
  type ReadRows,
  type StripPart,
  type StripSize,
  startStripRun,
} from './strip-run.ts';

/** `onRun`: called after each run of a network part, with its duration in milliseconds. */
export type StripJob = { size: StripSize; readRows: ReadRows; onRun: (ms: number) => void };

/**
 * A loaded network. `start`: starts a run over an image, or over a band if `runsBands` is true. `measure`: returns the
 * image columns that a band reads, and the result columns that it completes. The completed columns are the last columns
 * of the band's output.
 */
export type StripNetwork = {
  runsBands: boolean;
  start: (job: StripJob) => NextStrip;
  measure: (band: Band) => { input: RowRange; output: RowRange };
};

export const joinParts = (parts: StripPart[], runsBands: boolean): StripNetwork => ({
  runsBands,
  start: ({ size, readRows, onRun }) =>
    startStrips(
      parts.map((part) => withTiming(part, onRun)),
      size,
      readRows,
    ),
  measure: (band) => measureBand(parts, band),
});

function withTiming({ layout, run }: StripPart, onRun: (ms: number) => void): StripPart {
  const runTimed: StripPart['run'] = async (inputs, outputs) => {
    const start = performance.now();
    const results = await run(inputs, outputs);
    onRun(performance.now() - start);
    return results;
  };
  return { layout, run: runTimed };
}

/**
 * Rows per strip in the later parts of a network. Strips have fewer rows there, because rows have many more samples.
 */
const laterPartRows = 4;

/** Each part reads the output of the previous part. */
function startStrips(parts: StripPart[], size: StripSize, readRows: ReadRows): NextStrip {
  const [part, ...later] = parts;
  if (!part) throw new Error('a network has no parts');
  const next = startStripRun(part, size, readRows);
  const [following] = later;
  if (!following) return next;
  const band = size.band && followBand(part.layout, size.band);
  const { input } = measureColumns(following.layout, size.width, band);
  return startStrips(later, { ...size, band, stripRows: laterPartRows }, collectRows(part.layout, input, next));
}

function measureBand(parts: Pick<StripPart, 'layout'>[], band: Band): { input: RowRange; output: RowRange } {
  let last = band;
  for (const { layout } of parts.slice(0, -1)) last = followBand(layout, last);
  const { height, before, now } = last.columns;
  const output = parts.at(-1)?.layout.output ?? { scale: 1, delay: 0 };
  return {
    input: rangeOf({ scale: 1, delay: 0 }, band.columns),
    output: { from: rowCountAfter(output, before, height), until: rowCountAfter(output, now, height) },
  };
}

function collectRows({ network }: StripLayout, columns: number, next: NextStrip): ReadRows {
  const queue = openRowQueue(network.output, columns);
  let done = 0;
  return async (range) => {
    while (done < range.until) {
      const strip = await next();
      if (!strip) throw new Error('the first part of the network returned too few rows');
      const { tensor, rows, first } = strip;
      const until = done + rows - first;
      if (until > done) queue.push({ from: done, until, made: { from: done - first, until }, tensor });
      done = until;
    }
    return queue.take(range).data as Float32Array;
  };
}
