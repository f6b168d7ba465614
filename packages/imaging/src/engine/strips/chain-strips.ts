import type { StripPlan } from '@uprez/models/streaming/plan-histories';
import { openRowQueue } from './row-queue.ts';
import { type NextStrip, type ReadRows, type StripPart, type StripSize, startStripRun } from './strip-run.ts';

/** Rows of the later parts of a network, which have many more samples for each of them. */
const laterRows = 4;

/** Start the run of a network over an image. Each part reads the output of the one before. */
export function startStrips(parts: StripPart[], size: StripSize, readRows: ReadRows): NextStrip {
  const [part, ...later] = parts;
  if (!part) throw new Error('a network has no parts');
  const next = startStripRun(part, size, readRows);
  if (later.length === 0) return next;
  return startStrips(later, { ...size, stripRows: laterRows }, collectRows(part.plan, size.width, next));
}

/** Read the output of a part in any number of rows. */
function collectRows({ network }: StripPlan, width: number, next: NextStrip): ReadRows {
  const queue = openRowQueue(network.output, width);
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
