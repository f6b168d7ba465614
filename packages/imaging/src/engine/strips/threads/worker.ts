import { parentPort } from 'node:worker_threads';
import { makeStrips, type Strips } from '../open-strips.ts';
import type { FromThread, ToThread } from './messages.ts';
import { type ShareRun, startShare } from './run-share.ts';

/** A thread that runs models in strips, because ONNX Runtime blocks the thread that calls it. */
const models = new Map<number, { bytes: Uint8Array; opened: Map<number, Strips> }>();
const runs = new Map<number, ShareRun>();
const post = (message: FromThread, transfer: ArrayBuffer[] = []) => parentPort?.postMessage(message, transfer);

function start({ run, share }: Extract<ToThread, { type: 'start' }>): void {
  const model = models.get(share.model);
  if (!model) {
    post({ type: 'failed', run, message: 'the model has been closed' });
    return;
  }
  const strips = model.opened.get(share.threads) ?? makeStrips(model.bytes, share.threads);
  model.opened.set(share.threads, strips);
  const end: typeof post = (message, transfer) => {
    if (message.type === 'done' || message.type === 'failed') runs.delete(run);
    post(message, transfer);
  };
  runs.set(run, startShare({ run, share, strips, post: end }));
}

async function unload(id: number): Promise<void> {
  for (const strips of models.get(id)?.opened.values() ?? []) await strips.close();
  models.delete(id);
}

/** The thread exits when it waits for no more messages. */
async function close(): Promise<void> {
  for (const run of runs.values()) run.stop();
  await Promise.all([...models.keys()].map(unload));
  parentPort?.close();
}

parentPort?.on('message', (message: ToThread) => {
  if (message.type === 'load') models.set(message.model, { bytes: message.bytes, opened: new Map() });
  else if (message.type === 'start') start(message);
  else if (message.type === 'source') runs.get(message.run)?.addSource(message.rows);
  else if (message.type === 'free') runs.get(message.run)?.free(message.rows);
  else if (message.type === 'stop') runs.get(message.run)?.stop();
  else if (message.type === 'unload') void unload(message.model);
  else void close();
});
post({ type: 'ready' });
