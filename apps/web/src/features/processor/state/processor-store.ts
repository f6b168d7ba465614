import type { DeletionReceipt } from '@uprez/contracts/schemas/jobs/job';
import { create } from 'zustand';
import { hasStoredImage } from '../../../lib/images/image-store.ts';
import type { DropRejection } from '../../../lib/images/use-drop-area.ts';
import type { SourceImage } from './image.ts';

/**
 * State of a run:
 * - `sending`: the image is being uploaded. `percent` is the percentage of bytes sent. At 100, the response is pending.
 * - `following`: the job exists, and its own status is shown.
 * - `done`: the result is shown.
 */
export type Run =
  | { phase: 'idle' }
  | { phase: 'sending'; percent: number; isRetrying: boolean; abort: AbortController }
  /** `isRestored`: whether the run is from an earlier visit and its current status isn't known yet. */
  | { phase: 'following' | 'done'; jobId: string; isRestored?: boolean };

export type Deletion = { receipt: DeletionReceipt; filename: string };

export type ProcessorState = {
  image?: SourceImage | undefined;
  restoring: boolean;
  rejections: readonly DropRejection[];
  run: Run;
  note?: string | undefined;
  /** Error message of the last run. */
  failure?: string | undefined;
  /** Whether the server rejected the image itself, so another run would fail too. */
  isRefused?: boolean | undefined;
  deletion?: Deletion | undefined;
};

type RunEnd = Pick<ProcessorState, 'note' | 'failure' | 'isRefused' | 'deletion'>;

const idle = { phase: 'idle' } as const;

export const useProcessor = create<ProcessorState>(() => ({ restoring: hasStoredImage(), rejections: [], run: idle }));

const set = useProcessor.setState;

export const endRun = ({ note, failure, isRefused, deletion }: RunEnd = {}) =>
  set({ run: idle, note, failure, isRefused, deletion });

export const isBusy = ({ run }: ProcessorState) => run.phase === 'sending' || run.phase === 'following';

/** Whether an upload is in progress. Leaving the page would abort it. */
export const isSending = ({ run }: ProcessorState) => run.phase === 'sending';

export const hasOrRestoresImage = ({ image, restoring }: ProcessorState) => image !== undefined || restoring;
