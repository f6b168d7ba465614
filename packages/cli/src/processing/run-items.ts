import { ApiError, UprezError } from '@uprez/sdk-node';
import { type CliError, exitCodes } from '../cli-error.ts';
import { ExistsError } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';
import type { Outcome, ProcessItem, Reporter, Summary } from './outcome.ts';
import { toFatalError } from './to-fatal-error.ts';

export type RunnerOptions = { processItem: ProcessItem; reporter: Reporter; concurrency: number; signal: AbortSignal };
export type RunResult = { exitCode: number; failed: Item[] };

/**
 * Processes images with limited concurrency. Continues after errors of single images. Returns the exit code. Throws
 * CliError after an error that affects all images.
 */
export async function runItems(items: readonly Item[], running: RunnerOptions): Promise<RunResult> {
  const { reporter, concurrency, signal } = running;
  const state: State = { queue: items.values(), settled: [], failed: [], stop: undefined };
  reporter.begin(items.length);
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, () => runWorker(state, running)));
  const summary = summarize(state.settled, items.length);
  reporter.end(summary);
  if (signal.aborted) return { exitCode: exitCodes.interrupted, failed: state.failed };
  if (state.stop) throw state.stop;
  return { exitCode: summary.failed > 0 ? exitCodes.someFailed : exitCodes.ok, failed: state.failed };
}

type State = { queue: Iterator<Item> & Iterable<Item>; settled: Outcome[]; failed: Item[]; stop: CliError | undefined };

async function runWorker(state: State, { processItem, reporter, signal }: RunnerOptions): Promise<void> {
  for (const item of state.queue) {
    if (signal.aborted || state.stop) return;
    try {
      recordOutcome(state, item, {
        reporter,
        outcome: await processItem(item, (percent) => reporter.progress(item, percent)),
      });
    } catch (error) {
      if (signal.aborted) return;
      state.stop ??= toFatalError(error);
      if (state.stop) return;
      recordOutcome(state, item, { reporter, outcome: describeFailure(error) });
    }
  }
}

function recordOutcome(
  state: State,
  item: Item,
  { reporter, outcome }: { reporter: Reporter; outcome: Outcome },
): void {
  state.settled.push(outcome);
  if (outcome.kind === 'failed') state.failed.push(item);
  reporter.finish(item, outcome);
}

function describeFailure(error: unknown): Outcome {
  const { message, code } = error as NodeJS.ErrnoException;
  if (error instanceof ExistsError) return { kind: 'failed', code: 'output_exists', message };
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  if (error instanceof UprezError || code !== undefined)
    return { kind: 'failed', code: code ?? 'failed', message, ...(requestId && { requestId }) };
  throw error;
}

function summarize(settled: readonly Outcome[], total: number): Summary {
  const count = (kind: Outcome['kind']) => settled.filter((outcome) => outcome.kind === kind).length;
  const charged = settled.reduce((sum, outcome) => sum + (outcome.kind === 'done' ? outcome.charged : 0), 0);
  const [done, skipped, failed] = [count('done'), count('skipped'), count('failed')];
  return { done, skipped, failed, left: total - settled.length, charged };
}
