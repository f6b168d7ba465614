import { once } from 'node:events';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Samples } from '../../rows/row-stream.ts';
import type { FromRun, FromThread, Share, ToThread } from './messages.ts';

/** A run in a thread. Rows that are freed may be overwritten. */
export type ThreadRun = Record<'addSource' | 'free', (rows: Samples) => void> & { stop: () => void };

export type StripThread = Awaited<ReturnType<typeof openThread>>;

/** Start a built thread that runs strips. It doesn't keep the process alive between runs. */
export async function openThread() {
  const module = createRequire(import.meta.url).resolve('@uprez/imaging/engine/strips/threads/worker');
  // Benches and tests run the sources, but threads always run built modules.
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
  const post = (message: ToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);
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

/** Terminating a thread during a run would end the process: onnxruntime-node can't throw its error any more. */
async function closeWorker(worker: Worker): Promise<void> {
  worker.ref();
  worker.postMessage({ type: 'close' } satisfies ToThread);
  await once(worker, 'exit');
}
