import type { RowStream } from '../../rows/row-stream.ts';
import { openThread, type StripThread } from './open-thread.ts';
import { type Upscaling, upscaleInThreads } from './upscale-in-threads.ts';

/** A model that runs in strips in other threads. */
export type ThreadedStrips = {
  /** Upscale a stream by 4. Throws AppError `cancelled`, and Error when a thread fails. */
  upscale: (source: RowStream, options: Upscaling) => RowStream;
  /** Unload the model, until it is run again. */
  free: () => void;
  close: () => Promise<void>;
};

/** Threads that run strips. They are stopped when their last model is closed. */
export type StripPool = { addModel: (bytes: Uint8Array) => ThreadedStrips };

/** More threads would have narrow shares of an image, whose borders they compute twice. */
const maxThreads = 8;

/** Start the threads for strips. `threads`: cores to use. */
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
