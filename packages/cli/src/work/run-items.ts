import { ApiError, UprezError } from '@uprez/sdk-node';
import type { CliError } from '../cli-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { ExistsError } from '../files/place-result.ts';
import type { Item } from '../files/plan-items.ts';
import type { Maker, Outcome, Reporter, Summary } from './outcome.ts';
import { findStop } from './stop-error.ts';

export type Running = { make: Maker; reporter: Reporter; concurrency: number; signal: AbortSignal };
export type Ended = { exitCode: number; failed: Item[] };

/**
 * Work on images, so many at a time; one that fails keeps no other back. Answers what the command ends with. Throws
 * CliError when the work cannot go on.
 */
export async function runItems(items: readonly Item[], running: Running): Promise<Ended> {
  const { reporter, concurrency, signal } = running;
  const state: State = { queue: items.values(), settled: [], failed: [], stop: undefined };
  reporter.begin(items.length);
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, () => takeTurns(state, running)));
  const summary = summarise(state.settled, items.length);
  reporter.end(summary);
  if (signal.aborted) return { exitCode: exitCodes.interrupted, failed: state.failed };
  if (state.stop) throw state.stop;
  return { exitCode: summary.failed > 0 ? exitCodes.someFailed : exitCodes.ok, failed: state.failed };
}

type State = { queue: Iterator<Item> & Iterable<Item>; settled: Outcome[]; failed: Item[]; stop: CliError | undefined };

async function takeTurns(state: State, { make, reporter, signal }: Running): Promise<void> {
  for (const item of state.queue) {
    if (signal.aborted || state.stop) return;
    try {
      settle(state, item, { reporter, outcome: await make(item, (percent) => reporter.progress(item, percent)) });
    } catch (error) {
      if (signal.aborted) return;
      state.stop ??= findStop(error);
      if (state.stop) return;
      settle(state, item, { reporter, outcome: describeFailure(error) });
    }
  }
}

function settle(state: State, item: Item, { reporter, outcome }: { reporter: Reporter; outcome: Outcome }): void {
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

function summarise(settled: readonly Outcome[], total: number): Summary {
  const count = (kind: Outcome['kind']) => settled.filter((outcome) => outcome.kind === kind).length;
  const charged = settled.reduce((sum, outcome) => sum + (outcome.kind === 'done' ? outcome.charged : 0), 0);
  const [done, skipped, failed] = [count('done'), count('skipped'), count('failed')];
  return { done, skipped, failed, left: total - settled.length, charged };
}
