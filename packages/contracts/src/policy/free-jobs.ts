import type { OutputFormat } from './images/image-formats.ts';

/** Why a completed job costs nothing: its result is the image itself, or that of an earlier job. */
export const freeReasons = ['original', 'repeated'] as const;
export type FreeReason = (typeof freeReasons)[number];

/** Which of the notes of a job says that it was free; undefined if none does. */
export const findFreeNote = (notes: readonly string[]): string | undefined =>
  notes.find((note) => Object.values(freeNotes).includes(note));

/** What the job's notes say about it. */
export const freeNotes: Record<FreeReason, string> = {
  original: "A new file would be larger, so the result is your image. You weren't charged.",
  repeated: "The same image was already processed with these options. You weren't charged.",
};

type MadeJob = {
  plan: { output: { format: OutputFormat } };
  receipt: { format: OutputFormat; freeReason?: FreeReason | undefined } | null;
};

/** The format of a result: as planned, or that of the image if it was returned instead of a larger file. */
export const resultFormat = ({ plan, receipt }: MadeJob): OutputFormat =>
  receipt?.freeReason ? receipt.format : plan.output.format;
