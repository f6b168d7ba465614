import type { Strip } from '../../../pipeline/choose-passes.ts';
import type { RowStream, Samples } from '../../rows/row-stream.ts';

/** Number of image rows that are sent at a time. */
export const chunkRows = 64;

/** Image, or part of one, that a thread upscales. */
export type Share = {
  model: number;
  /** Threads that the model uses. The model is loaded separately for each thread count. */
  threads: number;
  source: Omit<RowStream, 'read'>;
  strip: Strip;
  inBands: boolean;
  /** Columns to upscale. Defaults to all columns of the image. */
  columns?: { from: number; until: number } | undefined;
  dir: string;
};

/** A message to a thread. `free`: returns an array to be filled again after its rows have been read. */
export type MessageToThread =
  | { type: 'load'; model: number; bytes: Uint8Array }
  | { type: 'unload'; model: number }
  | { type: 'start'; run: number; share: Share }
  | { type: 'source'; run: number; rows: Samples }
  | { type: 'free'; run: number; rows: Samples }
  | { type: 'stop'; run: number }
  | { type: 'close' };

/**
 * A message about a run. `read`: requests rows of the source. `strip`: a strip has started. `ran`: milliseconds that a
 * part of the network took. `rows`: rows of the result. `done`: all rows have been sent.
 */
export type FromRun =
  | { type: 'read'; run: number }
  | { type: 'strip'; run: number }
  | { type: 'ran'; run: number; ms: number }
  | { type: 'rows'; run: number; rows: Samples }
  | { type: 'done'; run: number }
  | { type: 'failed'; run: number; message: string };

export type FromThread = FromRun | { type: 'ready' };

type Inbox<T> = { push: (value: T) => void; fail: (error: unknown) => void; next: () => Promise<T> };

/** Opens an inbox for one reader. After `fail`, reading rejects with the error passed to it. */
export function openInbox<T>(...values: T[]): Inbox<T> {
  let failure: { error: unknown } | undefined;
  let waiting: { resolve: (value: T) => void; reject: (error: unknown) => void } | undefined;
  return {
    push: (value) => {
      if (waiting) waiting.resolve(value);
      else values.push(value);
      waiting = undefined;
    },
    fail: (error) => {
      failure ??= { error };
      waiting?.reject(error);
      waiting = undefined;
    },
    next: () =>
      new Promise((resolve, reject) => {
        if (failure) reject(failure.error);
        else if (values.length > 0) resolve(values.shift() as T);
        else waiting = { resolve, reject };
      }),
  };
}
