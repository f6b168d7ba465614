import { type Figure, percentile } from '@uprez/testing/bench-report';
import type { Answers } from '../load/send-at-rate.ts';

const at = (latenciesMs: readonly number[], p: number) => Number(percentile(latenciesMs, p).toFixed(1));

/** Returns percentiles in milliseconds as a row of a table. */
export const latencyRow = (latenciesMs: readonly number[]) => ({
  p50: at(latenciesMs, 0.5),
  p95: at(latenciesMs, 0.95),
  p99: at(latenciesMs, 0.99),
});

/** Returns the row of requests. Prints all errors, which fail the bench. */
export function answersRow({ latenciesMs, perSecond, errors }: Pick<Answers, 'latenciesMs' | 'perSecond' | 'errors'>) {
  for (const [what, times] of Object.entries(errors)) {
    console.error(`${times} x ${what}`);
    process.exitCode = 1;
  }
  return { ...latencyRow(latenciesMs), 'answers/s': Math.round(perSecond) };
}

/** Returns the 95th percentile of a row with its goal, milliseconds. */
export const p95Figure = ({ p50, p95 }: { p50: number; p95: number }, atMost: number): Figure => ({
  value: p95,
  median: p50,
  atMost,
  unit: 'ms',
});
