import type { Journal } from './open-output-folder.ts';

/** `key`: the item that the result was made from, if known. */
export type ExistingResult = { bytes: number; key?: string | undefined };
export type Placement = { output: string; key: string; force: boolean; signal: AbortSignal };

/** The results of earlier runs. `find`: finds a result by its path. */
export type Results = { journal: Journal; find: (output: string) => Promise<ExistingResult | undefined> };

/**
 * Where results are written: a folder, or a prefix of a bucket. `parts`: local folder for incomplete files. `place`: moves
 * a complete file there, and throws ExistsError if another file exists.
 */
export type Output = Results & {
  parts: string;
  place: (part: string, placement: Placement) => Promise<void>;
  close: () => Promise<void>;
};
