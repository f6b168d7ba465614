import type { DeletionReceipt } from '@uprez/contracts/schemas/job';
import { create } from 'zustand';
import type { DropRejection } from '../../lib/images/drop-rejection.ts';
import { hasStoredImage } from '../../lib/images/image-store.ts';
import type { SourceImage } from './source/image.ts';

/**
 * The state of a run. `sending`: the upload, with the percentage of bytes sent; at 100 the response is pending.
 * `following`: the job exists and has a status of its own. `done`: the result is shown.
 */
export type Run =
  | { phase: 'idle' }
  | { phase: 'sending'; percent: number; isRetrying: boolean; abort: AbortController }
  | { phase: 'following' | 'done'; jobId: string };

export type Deletion = { receipt: DeletionReceipt; filename: string };

export type ProcessorState = {
  image?: SourceImage | undefined;
  /** An image of an earlier page view is being brought back. */
  restoring: boolean;
  rejections: readonly DropRejection[];
  run: Run;
  /** Why the last run failed, or how it ended otherwise. */
  failure?: string | undefined;
  note?: string | undefined;
  /** Why the server did not take the image's address. */
  addressFault?: string | undefined;
  /** The result that was deleted last, until its receipt is closed. */
  deletion?: Deletion | undefined;
};

type End = Pick<ProcessorState, 'failure' | 'note' | 'addressFault' | 'deletion'>;

const idle = { phase: 'idle' } as const;

export const useProcessor = create<ProcessorState>(() => ({ restoring: hasStoredImage(), rejections: [], run: idle }));

const set = useProcessor.setState;

/** End the run, saying why where there is something to say. */
export const endRun = ({ failure, note, addressFault, deletion }: End = {}) =>
  set({ run: idle, failure, note, addressFault, deletion });

/** Whether a run is under way that a new image would disturb. */
export const isBusy = ({ run }: ProcessorState) => run.phase === 'sending' || run.phase === 'following';

/** Whether the file is on its way, so that leaving the page would lose it. */
export const isSending = ({ run }: ProcessorState) => run.phase === 'sending';

/** Whether there is an image to work on, or will be in a moment. */
export const isWorking = ({ image, restoring }: ProcessorState) => image !== undefined || restoring;
