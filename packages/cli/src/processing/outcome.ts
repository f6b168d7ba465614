import type { OutputFolder } from '../files/open-output-folder.ts';
import type { Item } from '../files/plan-items.ts';

type Made = { output: string; width: number; height: number; bytes: number };
/** The outcome of an image. `charged`: credits. `notes`: adjustments to the options. */
export type Outcome =
  | (Made & { kind: 'done'; charged: number; cached: boolean; notes: string[] })
  /** Done in an earlier run. */
  | { kind: 'skipped'; output: string }
  | { kind: 'failed'; code: string; message: string; requestId?: string };

export type Processing = {
  folder: OutputFolder;
  fields: Record<string, string>;
  force: boolean;
  signal: AbortSignal;
};

export type Reporter = {
  begin: (total: number) => void;
  /** `percent`: 0 to 100. */
  progress: (item: Item, percent: number) => void;
  finish: (item: Item, outcome: Outcome) => void;
  end: (summary: Summary) => void;
};
export type Summary = { done: number; skipped: number; failed: number; left: number; charged: number };

/** Processes one image. Throws errors that `toFatalError` recognizes if the other images would fail, too. */
export type ProcessItem = (item: Item, onProgress: (percent: number) => void) => Promise<Outcome>;
