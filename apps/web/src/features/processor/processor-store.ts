import type { FileRejection } from 'react-dropzone';
import { create } from 'zustand';
import { hasPicture } from '../../lib/picture-drawer.ts';
import type { Picture } from './picture.ts';

/**
 * Where the picture is on its way. `sending.percent` is the share of bytes sent; at 100 the answer is awaited.
 * `following`: a job exists; its own status says the rest, up to the result.
 */
export type Run =
  | { phase: 'idle' }
  | { phase: 'sending'; percent: number; abort: AbortController }
  | { phase: 'following'; jobId: string };

export type ProcessorState = {
  picture?: Picture | undefined;
  /** A picture of an earlier page view is being brought back. */
  restoring: boolean;
  rejections: readonly FileRejection[];
  run: Run;
  /** Why the last run failed, or how it ended otherwise. */
  failure?: string | undefined;
  note?: string | undefined;
};

const idle = { phase: 'idle' } as const;

export const useProcessor = create<ProcessorState>(() => ({ restoring: hasPicture(), rejections: [], run: idle }));

const set = useProcessor.setState;

/** End the run, saying why where there is something to say. */
export const endRun = (end: { failure?: string; note?: string } = {}) =>
  set({ run: idle, failure: end.failure, note: end.note });

/** Whether a run is under way that a new picture would disturb. */
export const isSending = ({ run }: ProcessorState) => run.phase === 'sending';

/** Whether there is a picture to work on, or will be in a moment. */
export const isWorking = ({ picture, restoring }: ProcessorState) => picture !== undefined || restoring;
