import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { networkFactor } from '../../../pipeline/choose-passes.ts';
import { cropRows } from '../../rows/crop-rows.ts';
import { joinChunks, makeSamples, type RowStream, type Samples } from '../../rows/row-stream.ts';
import type { Strips } from '../open-strips.ts';
import { upscaleStrips } from '../upscale-strips.ts';
import { chunkRows, type FromRun, type Share } from './messages.ts';
import { openInbox } from './open-inbox.ts';

/** Chunks of the result that are made before the first of them has been read. */
const aheadChunks = 3;

export type ShareRun = Record<'addSource' | 'free', (rows: Samples) => void> & { stop: () => void };

type Running = {
  run: number;
  share: Share;
  strips: Strips;
  post: (message: FromRun, transfer?: ArrayBuffer[]) => void;
};

/** Upscale a share of an image. The rows of the image are requested, and those of the result are sent. */
export function startShare({ run, share, strips, post }: Running): ShareRun {
  const abort = new AbortController();
  const source = openRemoteRows(share.source, () => post({ type: 'read', run }));
  const empty = Array.from({ length: aheadChunks }, () => makeSamples(share.source.depth, 0));
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

type Events = { source: RowStream; signal: AbortSignal; onRun: (ms: number) => void; onStrip: () => void };

async function upscaleShare({ strip, inBands, columns, dir }: Share, { open }: Strips, { source, ...events }: Events) {
  const options = { ...events, strips: await open({ inBands }), dir };
  if (!columns) return upscaleStrips(source, { ...options, strip });
  const { width, height } = source;
  // What the network sees beyond its columns.
  const left = Math.max(0, columns.from - strip.border);
  const seen = Math.min(width, columns.until + strip.border) - left;
  const part = cropRows(source, { left, top: 0, width: seen, height });
  const large = upscaleStrips(part, { ...options, strip: { ...strip, width: seen + 2 * strip.border } });
  const used = (columns.until - columns.from) * networkFactor;
  return cropRows(large, { ...large, left: (columns.from - left) * networkFactor, top: 0, width: used });
}

/** Open a stream that requests its chunks one ahead. */
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
 * Free the arrays that this thread no longer uses. onnxruntime-node returns every output as a new array, 20 MB for each strip of
 * `photo-fast` at a width of 4,000, and V8 frees them late, because its own heap stays small: 100 MB in total.
 */
const collectGarbage: () => void = exposeCollector();

function exposeCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}
