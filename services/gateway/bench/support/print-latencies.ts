import { percentile } from '@uprez/testing/bench-report';
import type { Answers } from '../load/send-at-rate.ts';

const at = (latenciesMs: readonly number[], p: number) => Number(percentile(latenciesMs, p).toFixed(1));

/** Returns percentiles in milliseconds as a row of a table. */
export const latencyRow = (latenciesMs: readonly number[]) => ({
  p50: at(latenciesMs, 0.5),
  p95: at(latenciesMs, 0.95),
  p99: at(latenciesMs, 0.99),
});

/** Returns the row of requests. Prints all errors, which fail the bench. */
export function answersRow({ latenciesMs, perSecond, errors }: Answers) {
  for (const [what, times] of Object.entries(errors)) {
    console.error(`${times} x ${what}`);
    process.exitCode = 1;
  }
  return { ...latencyRow(latenciesMs), 'answers/s': Math.round(perSecond) };
}
