import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { AppError } from '@uprez/contracts/errors/app-error';
import { networkFactor, type Strip } from '../../../pipeline/choose-passes.ts';
import { joinChunks, makeScratchBuffers, type RowStream, type Samples } from '../../rows/row-stream.ts';
import { chunkRows, type FromRun, type FromThread, type MessageToThread, openInbox, type Share } from './messages.ts';

export type ThreadedStrips = {
  /** Upscales a stream by 4. Throws AppError `cancelled`, and Error if a thread fails. */
  upscale: (source: RowStream, options: UpscaleOptions) => RowStream;
  /** Unloads the model until it runs again. */
  free: () => void;
  close: () => Promise<void>;
};

/** Threads that run strips. They stop when their last model is closed. */
export type StripPool = { addModel: (bytes: Uint8Array) => ThreadedStrips };

/** Maximum threads. With more threads, the shares of an image would be narrow, and their borders are computed twice. */
const maxThreads = 8;

/** Starts the threads for strips. `threads`: number of cores to use. */
export async function openStripPool(threads: number): Promise<StripPool> {
  const count = Math.min(threads, maxThreads);
  const pool = await Promise.all(Array.from({ length: count }, openThread));
  const open = new Set<number>();
  let models = 0;
  const addModel = (bytes: Uint8Array): ThreadedStrips => {
    const model = ++models;
    open.add(model);
    return {
      upscale: (source, options) =>
        upscaleInThreads(source, { ...options, pool, model: { id: model, bytes }, threads }),
      free: () => {
        for (const thread of pool) thread.unload(model);
      },
      close: () => closeModel({ model, pool, open }),
    };
  };
  return { addModel };
}

async function closeModel({ model, pool, open }: { model: number; pool: StripThread[]; open: Set<number> }) {
  open.delete(model);
  for (const thread of pool) {
    if (open.size > 0) thread.unload(model);
    else await thread.close();
  }
}

type UpscaleOptions = {
  strip: Strip;
  /** Whether to run images that are wider than a strip in bands. */
  inBands: boolean;
  dir: string;
  signal: AbortSignal;
  /**
   * Called after each run of a network part, with its duration in milliseconds divided by the number of running
   * threads.
   */
  onRun: (ms: number) => void;
  onStrip: () => void;
};

type ThreadedOptions = UpscaleOptions & {
  pool: StripThread[];
  model: { id: number; bytes: Uint8Array };
  threads: number;
};

/** Minimum image columns per thread. With fewer columns, computing the borders costs more than another thread saves. */
const minColumns = 256;

/**
 * Divides an image by columns among threads. Networks that see no farther than the border of a strip run in several
 * threads on about one core each, because parts of their work can't use more than one core. Other networks, and images
 * wider than a strip, run in the first thread, which uses all cores.
 */
function divideAmongThreads(
  source: RowStream,
  { strip, inBands, dir, pool, model, threads }: ThreadedOptions,
): Share[] {
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

/**
 * Upscales a stream by 4 on other threads, which run while the caller processes the rows. The threads start working
 * when the first row is read.
 */
function upscaleInThreads(source: RowStream, options: ThreadedOptions): RowStream {
  const { depth, channels } = source;
  const [width, height] = [source.width * networkFactor, source.height * networkFactor];
  const makeRows = makeScratchBuffers(depth);
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

/** Resolves with the next rows of each share. The rows are valid until the next call. */
function startShares(source: RowStream, options: ThreadedOptions): () => Promise<Samples[]> {
  const { signal, pool, model } = options;
  if (signal.aborted) throw new AppError('cancelled');
  const shares = divideAmongThreads(source, options);
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

function joinColumns(rows: Samples, parts: Samples[], count: number): void {
  const rowLength = rows.length / count;
  let left = 0;
  for (const part of parts) {
    const length = part.length / count;
    for (let y = 0; y < count; y++) rows.set(part.subarray(y * length, (y + 1) * length), y * rowLength + left);
    left += length;
  }
}

/** Resolves with the next rows of a reader. */
function openSharedRows(source: RowStream, readers: number): (reader: number) => Promise<Samples> {
  const chunks: Promise<Samples>[] = [];
  const taken = Array<number>(readers).fill(0);
  let first = 0;
  let last: Promise<unknown> = Promise.resolve();
  const readNext = () => {
    const y = (first + chunks.length) * chunkRows;
    // Copies the rows, because streams may reuse their arrays.
    const chunk = last.then(async () => (await source.read(Math.min(chunkRows, source.height - y))).slice());
    last = chunk;
    chunks.push(chunk);
  };
  return (reader) => {
    const at = taken[reader] as number;
    if (at === first + chunks.length) readNext();
    const chunk = chunks[at - first] as Promise<Samples>;
    taken[reader] = at + 1;
    for (; Math.min(...taken) > first; first++) void chunks.shift();
    return chunk;
  };
}

/** A run in a thread. After `free`, the thread may overwrite the rows. */
type ThreadRun = Record<'addSource' | 'free', (rows: Samples) => void> & { stop: () => void };

type StripThread = Awaited<ReturnType<typeof openThread>>;

/** Starts a thread that runs strips from the built module. The thread doesn't keep the process alive between runs. */
async function openThread() {
  const module = createRequire(import.meta.url).resolve('@uprez/imaging/engine/strips/threads/worker');
  // Clears the flags with which benchmarks and tests run the sources, because threads always run built modules.
  const worker = new Worker(module, { execArgv: [] });
  const handlers = new Map<number, (message: FromRun) => void>();
  let runs = 0;
  let failure: string | undefined;
  const end = (run: number) => {
    handlers.delete(run);
    if (handlers.size === 0) worker.unref();
  };
  const handle = (message: FromThread) => {
    if (message.type === 'ready') return;
    const handler = handlers.get(message.run);
    if (message.type === 'done' || message.type === 'failed') end(message.run);
    handler?.(message);
  };
  worker.on('message', handle);
  const fail = (message: string) => {
    failure ??= message;
    for (const run of [...handlers.keys()]) handle({ type: 'failed', run, message: failure });
  };
  worker.on('error', (error) => fail(String(error)));
  worker.on('exit', () => fail('the thread has ended'));
  const post = (message: MessageToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);
  await once(worker, 'message');
  worker.unref();

  const loaded = new Set<number>();
  const start = (share: Share, model: Uint8Array, onMessage: (message: FromRun) => void): ThreadRun => {
    if (failure) throw new Error(failure);
    if (!loaded.has(share.model)) post({ type: 'load', model: share.model, bytes: model });
    loaded.add(share.model);
    const run = ++runs;
    handlers.set(run, onMessage);
    worker.ref();
    post({ type: 'start', run, share });
    return {
      addSource: (rows) => post({ type: 'source', run, rows }),
      free: (rows) => post({ type: 'free', run, rows }, [rows.buffer as ArrayBuffer]),
      stop: () => {
        end(run);
        post({ type: 'stop', run });
      },
    };
  };
  const unload = (model: number) => {
    if (loaded.delete(model)) post({ type: 'unload', model });
  };
  return { start, unload, close: () => (failure ? Promise.resolve() : closeWorker(worker)) };
}

/**
 * Closes a thread without terminating it. Terminating it during a run would end the process, because onnxruntime-node
 * could no longer throw its error.
 */
async function closeWorker(worker: Worker): Promise<void> {
  worker.ref();
  worker.postMessage({ type: 'close' } satisfies MessageToThread);
  await once(worker, 'exit');
}
