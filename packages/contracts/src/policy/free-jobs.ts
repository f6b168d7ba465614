import type { OutputFormat } from './images/image-formats.ts';
import { limits } from './limits.ts';

/** Reasons why a completed job is free: the result is the original image, or the result of an earlier job. */
export const freeReasons = ['original', 'repeated'] as const;
export type FreeReason = (typeof freeReasons)[number];

/** Returns the note that explains why a job was free, or undefined if the job wasn't free. */
export const findFreeNote = (notes: readonly string[]): string | undefined =>
  notes.find((note) => Object.values(freeNotes).includes(note));

export const freeNotes: Record<FreeReason, string> = {
  original: "A new file would be larger, so the result is your image. You weren't charged.",
  repeated: "The same image was already processed with these options. You weren't charged.",
};

type PlannedJob = {
  plan: { output: { format: OutputFormat } };
  receipt: { format: OutputFormat; freeReason?: FreeReason | undefined } | null;
};

/** Returns the format of a result: the planned format, or for a free job the format in its receipt. */
export const resultFormatOf = ({ plan, receipt }: PlannedJob): OutputFormat =>
  receipt?.freeReason ? receipt.format : plan.output.format;

/** Returns the number of seconds after the start of an attempt during which canceling the job is free. */
export const getFreeCancelSeconds = (estimatedSeconds: number): number =>
  Math.max(limits.freeCancelSeconds, (limits.freeCancelPercent / 100) * estimatedSeconds);
