import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parentPort } from 'node:worker_threads';
import { networkFactor } from '../../../pipeline/choose-passes.ts';
import { cropRows, joinChunks, makeSamples, type RowStream, type Samples } from '../../rows/row-stream.ts';
import { makeStripModel, type StripModel } from '../open-strips.ts';
import { upscaleStrips } from '../upscale-strips.ts';
import { chunkRows, type FromRun, type FromThread, type MessageToThread, openInbox, type Share } from './messages.ts';

/** Models loaded in this thread. Strips run in a thread, because ONNX Runtime blocks the thread that calls it. */
const models = new Map<number, { bytes: Uint8Array; opened: Map<number, StripModel> }>();
const runs = new Map<number, ShareRun>();
const post = (message: FromThread, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer);

function startRun({ run, share }: Extract<MessageToThread, { type: 'start' }>): void {
  const model = models.get(share.model);
  if (!model) {
    post({ type: 'failed', run, message: 'the model has been closed' });
    return;
  }
  const strips = model.opened.get(share.threads) ?? makeStripModel(model.bytes, share.threads);
  model.opened.set(share.threads, strips);
  const end: typeof post = (message, transfer) => {
    if (message.type === 'done' || message.type === 'failed') runs.delete(run);
    post(message, transfer);
  };
  runs.set(run, startShare({ run, share, strips, post: end }));
}

async function unloadModel(id: number): Promise<void> {
  for (const strips of models.get(id)?.opened.values() ?? []) await strips.close();
  models.delete(id);
}

/** The thread exits when it is no longer waiting for messages. */
async function close(): Promise<void> {
  for (const run of runs.values()) run.stop();
  await Promise.all([...models.keys()].map(unloadModel));
  parentPort?.close();
}

parentPort?.on('message', (message: MessageToThread) => {
  if (message.type === 'load') models.set(message.model, { bytes: message.bytes, opened: new Map() });
  else if (message.type === 'start') startRun(message);
  else if (message.type === 'source') runs.get(message.run)?.addSource(message.rows);
  else if (message.type === 'free') runs.get(message.run)?.free(message.rows);
  else if (message.type === 'stop') runs.get(message.run)?.stop();
  else if (message.type === 'unload') void unloadModel(message.model);
  else void close();
});
post({ type: 'ready' });

/** Maximum chunks of the result that are computed before the first of them has been read. */
const maxPendingChunks = 3;

type ShareRun = Record<'addSource' | 'free', (rows: Samples) => void> & { stop: () => void };

type ShareRunInput = {
  run: number;
  share: Share;
  strips: StripModel;
  post: (message: FromRun, transfer?: ArrayBuffer[]) => void;
};

function startShare({ run, share, strips, post }: ShareRunInput): ShareRun {
  const abort = new AbortController();
  const source = openRemoteRows(share.source, () => post({ type: 'read', run }));
  const empty = Array.from({ length: maxPendingChunks }, () => makeSamples(share.source.depth, 0));
  const arrays = openInbox<Samples>(...empty);
  const send = async () => {
    const large = await upscaleShare(share, strips, {
      source: source.stream,
      signal: abort.signal,
      onRun: (ms) => post({ type: 'ran', run, ms }),
      onStrip: () => {
        collectGarbage();
        post({ type: 'strip', run });
      },
    });
    for (let y = 0; y < large.height; y += chunkRows) {
      const rows = await large.read(Math.min(chunkRows, large.height - y));
      const array = await arrays.next();
      const sent = array.length === rows.length ? array : makeSamples(large.depth, rows.length);
      sent.set(rows);
      post({ type: 'rows', run, rows: sent }, [sent.buffer as ArrayBuffer]);
    }
  };
  send().then(
    () => post({ type: 'done', run }),
    (error) => post({ type: 'failed', run, message: error instanceof Error ? error.message : String(error) }),
  );
  const stop = () => {
    abort.abort();
    const error = new Error('the run was stopped');
    source.fail(error);
    arrays.fail(error);
  };
  return { addSource: source.push, free: arrays.push, stop };
}

type UpscaleContext = { source: RowStream; signal: AbortSignal; onRun: (ms: number) => void; onStrip: () => void };

async function upscaleShare(
  { strip, inBands, columns, dir }: Share,
  { open }: StripModel,
  { source, ...events }: UpscaleContext,
) {
  const options = { ...events, strips: await open({ inBands }), dir };
  if (!columns) return upscaleStrips(source, { ...options, strip });
  const { width, height } = source;
  // Includes the columns beyond the share that the network needs to see.
  const left = Math.max(0, columns.from - strip.border);
  const seen = Math.min(width, columns.until + strip.border) - left;
  const part = cropRows(source, { left, top: 0, width: seen, height });
  const large = upscaleStrips(part, { ...options, strip: { ...strip, width: seen + 2 * strip.border } });
  const used = (columns.until - columns.from) * networkFactor;
  return cropRows(large, { ...large, left: (columns.from - left) * networkFactor, top: 0, width: used });
}

/** Opens a stream that requests its chunks one ahead of the reader. */
function openRemoteRows(source: Share['source'], request: () => void) {
  const { push, fail, next } = openInbox<Samples>();
  let missing = Math.ceil(source.height / chunkRows);
  const requestNext = () => {
    if (missing-- > 0) request();
  };
  let isFirst = true;
  const nextChunk = async () => {
    if (isFirst) requestNext();
    isFirst = false;
    requestNext();
    return next();
  };
  const read = joinChunks({ depth: source.depth, rowLength: source.width * source.channels }, nextChunk);
  return { stream: { ...source, read }, push, fail };
}

/**
 * Frees the arrays that this thread no longer uses. onnxruntime-node returns every output as a new array (20 MB for
 * each strip of `photo-fast` at a width of 4,000). V8 would free these arrays late, because its own heap stays small,
 * and they would add up to 100 MB.
 */
const collectGarbage: () => void = exposeCollector();

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
