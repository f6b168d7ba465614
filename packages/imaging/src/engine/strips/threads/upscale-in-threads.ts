import { AppError } from '@uprez/contracts/errors/app-error';
import { networkFactor } from '../../../plan/plan-passes.ts';
import type { Strip } from '../../../plan/plan-strips.ts';
import { joinChunks, openScratch, type RowStream, type Samples } from '../../rows/row-stream.ts';
import type { FromRun, Share } from './messages.ts';
import { openInbox } from './open-inbox.ts';
import { openSharedRows } from './open-shared-rows.ts';
import type { StripThread, ThreadRun } from './open-thread.ts';

export type Upscaling = {
  strip: Strip;
  /** Whether images that are wider than a strip are run in bands. */
  inBands: boolean;
  /** Folder for the files of several bands. */
  dir: string;
  /** Ends all work when aborted. */
  signal: AbortSignal;
  /** Called after each run of a part of the network, with its milliseconds, as a share of all threads that run. */
  onRun: (ms: number) => void;
  /** Called before each strip. */
  onStrip: () => void;
};

type Threaded = Upscaling & { pool: StripThread[]; model: { id: number; bytes: Uint8Array }; threads: number };

/** Columns of an image for each thread: fewer cost more for their borders than another thread saves. */
const minColumns = 256;

/**
 * Divide an image by columns among threads. Networks that see no farther than the border of a strip run in one thread for each
 * core, because parts of their work use a single thread. Others run in the first thread, which uses all cores.
 */
function shareOut(source: RowStream, { strip, inBands, dir, pool, model, threads }: Threaded): Share[] {
  const { width, height, channels, depth } = source;
  const share = { model: model.id, dir, strip, source: { width, height, channels, depth } };
  const isWhole = width + 2 * strip.border <= strip.width;
  if (strip.lag > strip.border || !isWhole) return [{ ...share, threads, inBands }];
  const count = Math.max(1, Math.min(pool.length, Math.floor(width / minColumns)));
  const threadsOfEach = Math.max(1, Math.floor(threads / pool.length));
  const start = (i: number) => Math.round((i * width) / count);
  return Array.from({ length: count }, (_, i) => {
    return { ...share, threads: threadsOfEach, inBands: false, columns: { from: start(i), until: start(i + 1) } };
  });
}

/** Upscale a stream by 4 in other threads, which run while the caller handles the rows. Starts when the first row is read. */
export function upscaleInThreads(source: RowStream, options: Threaded): RowStream {
  const { depth, channels } = source;
  const [width, height] = [source.width * networkFactor, source.height * networkFactor];
  const makeRows = openScratch(depth);
  let nextParts: (() => Promise<Samples[]>) | undefined;
  const next = async () => {
    nextParts ??= startShares(source, options);
    const parts = await nextParts();
    if (parts.length === 1) return parts[0] as Samples;
    const rows = makeRows(parts.reduce((sum, part) => sum + part.length, 0));
    joinColumns(rows, parts, rows.length / (width * channels));
    return rows;
  };
  return { width, height, channels, depth, read: joinChunks({ depth, rowLength: width * channels }, next) };
}

/** Start all shares. Returns a function that returns the next rows of each. They are valid until its next call. */
function startShares(source: RowStream, options: Threaded): () => Promise<Samples[]> {
  const { signal, pool, model } = options;
  if (signal.aborted) throw new AppError('cancelled');
  const shares = shareOut(source, options);
  const inboxes = shares.map(() => openInbox<Samples>());
  const take = openSharedRows(source, shares.length);
  const runs: ThreadRun[] = [];
  const ended = new AbortController();
  let missing = shares.length;
  const fail = (error: unknown) => {
    ended.abort();
    for (const inbox of inboxes) inbox.fail(error);
    for (const run of runs) run.stop();
  };
  const handle = (i: number) => (message: FromRun) => {
    if (message.type === 'rows') inboxes[i]?.push(message.rows);
    else if (message.type === 'read') take(i).then((rows) => runs[i]?.addSource(rows), fail);
    else if (message.type === 'ran') options.onRun(message.ms / shares.length);
    else if (message.type === 'strip' && i === 0) options.onStrip();
    else if (message.type === 'failed') fail(new Error(message.message));
    else if (message.type === 'done' && --missing === 0) ended.abort();
  };
  signal.addEventListener('abort', () => fail(new AppError('cancelled')), { signal: ended.signal });
  for (const [i, share] of shares.entries()) runs.push((pool[i] as StripThread).start(share, model.bytes, handle(i)));
  let parts: Samples[] = [];
  return async () => {
    for (const [i, rows] of parts.entries()) runs[i]?.free(rows);
    parts = await Promise.all(inboxes.map((inbox) => inbox.next()));
    return parts;
  };
}

/** Write the rows of parts next to each other. */
function joinColumns(rows: Samples, parts: Samples[], count: number): void {
  const rowLength = rows.length / count;
  let left = 0;
  for (const part of parts) {
    const length = part.length / count;
    for (let y = 0; y < count; y++) rows.set(part.subarray(y * length, (y + 1) * length), y * rowLength + left);
    left += length;
  }
}
