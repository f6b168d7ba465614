import { ApiError, UprezError } from '@uprez/sdk-node';
import pLimit from 'p-limit';
import { type CliError, exitCodes, toFatalError } from '../cli-error.ts';
import { ExistsError, type Output } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';

type ResultFile = { output: string; width: number; height: number; bytes: number };
/** `charged` is in credits. `notes` describe adjustments that the service made to the options. */
export type Outcome =
  | (ResultFile & { kind: 'done'; charged: number; cached: boolean; notes: string[] })
  /** The result already exists. */
  | { kind: 'skipped'; output: string }
  | { kind: 'failed'; code: string; message: string; requestId?: string };

export type ProcessingInput = {
  results: Output;
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

/** Processes one image. Rejects if it fails; `toFatalError` recognizes errors that affect all images. */
export type ProcessItem = (item: Item, onProgress: (percent: number) => void) => Promise<Outcome>;

export type RunItemsOptions = {
  processItem: ProcessItem;
  reporter: Reporter;
  concurrency: number;
  signal: AbortSignal;
};

/**
 * Processes images with limited concurrency. Continues after errors that affect a single image. Returns the exit code.
 * Throws CliError after an error that affects all images.
 */
export async function runItems(items: readonly Item[], runner: RunItemsOptions): Promise<number> {
  const { processItem, reporter, concurrency, signal } = runner;
  const outcomes: Outcome[] = [];
  let fatal: CliError | undefined;
  const finish = (item: Item, outcome: Outcome) => {
    outcomes.push(outcome);
    reporter.finish(item, outcome);
  };
  const run = async (item: Item) => {
    if (signal.aborted || fatal) return;
    try {
      finish(item, await processItem(item, (percent) => reporter.progress(item, percent)));
    } catch (error) {
      if (signal.aborted) return;
      fatal ??= toFatalError(error);
      if (!fatal) finish(item, toFailedOutcome(error));
    }
  };
  reporter.begin(items.length);
  await pLimit(concurrency).map(items, run);
  const summary = summarize(outcomes, items.length);
  reporter.end(summary);
  if (signal.aborted) return exitCodes.interrupted;
  if (fatal) throw fatal;
  return summary.failed > 0 ? exitCodes.someFailed : exitCodes.ok;
}

function toFailedOutcome(error: unknown): Outcome {
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof ExistsError) return { kind: 'failed', code: 'output_exists', message };
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  if (error instanceof UprezError || code !== undefined)
    return { kind: 'failed', code: code ?? 'failed', message, ...(requestId && { requestId }) };
  throw error;
}

function summarize(outcomes: readonly Outcome[], total: number): Summary {
  const count = (kind: Outcome['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length;
  const charged = outcomes.reduce((sum, outcome) => sum + (outcome.kind === 'done' ? outcome.charged : 0), 0);
  const left = total - outcomes.length;
  return { done: count('done'), skipped: count('skipped'), failed: count('failed'), left, charged };
}
