import type { Item } from '../files/plan-items.ts';

/** `notes`: what is not exactly as it was asked for. */
type Made = {
  output: string;
  width: number;
  height: number;
  bytes: number;
  charged: number;
  cached: boolean;
  notes: string[];
};
/** What came of an image. `charged`: units. */
export type Outcome =
  | (Made & { kind: 'done' })
  /** It was done before. */
  | { kind: 'skipped'; output: string }
  | { kind: 'failed'; code: string; message: string; requestId?: string };

/** Tells whoever started the command how the work goes on. */
export type Reporter = {
  begin: (total: number) => void;
  /** 0-100. */
  progress: (item: Item, percent: number) => void;
  finish: (item: Item, outcome: Outcome) => void;
  end: (summary: Summary) => void;
};
export type Summary = { done: number; skipped: number; failed: number; left: number; charged: number };

/** Makes the result of one image. Throws StopError when there is no point in going on with the others. */
export type Maker = (item: Item, onProgress: (percent: number) => void) => Promise<Outcome>;
