import { percentile } from '@uprez/testing/bench-report';
import type { Disk } from './read-disk.ts';
import type { Resources } from './read-resources.ts';
import type { Outcome } from './run-attack.ts';

const round = (value: number) => Number(value.toFixed(value < 10 ? 1 : 0));
const pair = (values: readonly number[]) => `${round(percentile(values))} / ${round(percentile(values, 0.95))}`;
const ratio = (during: readonly number[], quiet: readonly number[]) =>
  round(percentile(during, 0.95) / percentile(quiet, 0.95));
/** Sums of all services. */
const total = (resources: Record<string, Resources>, kind: keyof Resources) =>
  round(Object.values(resources).reduce((sum, one) => sum + one[kind], 0));

const diskMb = ({ storedMb, temporaryMb }: Disk) => `${round(storedMb)} + ${round(temporaryMb)}`;

function toRow({ quiet, during, before, peak, remains, disk, diskAfter, freeSeconds, logLines, failures }: Outcome) {
  const course = (kind: keyof Resources) =>
    [before, peak, remains].map((resources) => total(resources, kind)).join(' → ');
  return {
    'reads, quiet': pair(quiet.reads),
    'reads, attack': pair(during.reads),
    ratio: ratio(during.reads, quiet.reads),
    'sign-ins, quiet': pair(quiet['sign-ins']),
    'sign-ins, attack': pair(during['sign-ins']),
    'uploads, quiet': pair(quiet.uploads),
    'uploads, attack': pair(during.uploads),
    'jobs, quiet': pair(quiet.jobs),
    'jobs, attack': pair(during.jobs),
    descriptors: course('descriptors'),
    connections: course('connections'),
    'memory, MB': course('memoryMb'),
    'of children, MB': course('childrenMb'),
    'disk, MB': [disk.before, disk.peak, diskAfter].map(diskMb).join(' → '),
    'free, s': round(freeSeconds),
    'log lines': logLines.length,
    result: failures.length === 0 ? 'passed' : 'failed',
  };
}

/**
 * Prints a table with a row for each attack; the last line counts passed and failed ones. `errors`: attacks that could not
 * be run. Returns how many failed.
 */
export function printOutcomes(outcomes: readonly Outcome[], errors: readonly string[]): number {
  console.log('Times of another user are milliseconds, p50 / p95. Resources are before → highest → after.');
  console.log('Disk: stored + temporary files. Free: processing time of the attackers that cost no credits.');
  console.table(Object.fromEntries(outcomes.map((outcome) => [outcome.name, toRow(outcome)])));
  const failed = outcomes.filter(({ failures }) => failures.length > 0);
  for (const error of errors) console.error(error);
  const count = failed.length + errors.length;
  console.log(`${outcomes.length - failed.length} passed, ${count} failed`);
  return count;
}
