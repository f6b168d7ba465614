import { relative } from 'node:path';
import type { Account, Estimate } from '@uprez/sdk-node';
import type { Row } from '../work/dry-run.ts';
import { formatBytes, formatCount, formatSeconds, formatSize, formatUnits } from './format.ts';
import { makeTable } from './table.ts';

const heading = ['Image', 'Size', 'Result', 'About', 'Time', 'Units', ''];

/** Units by the meter that they are counted on. */
export function sumUnits(rows: readonly Row[]): Map<Estimate['meter'], number> {
  const sums = new Map<Estimate['meter'], number>();
  for (const { estimate, reason } of rows)
    if (estimate && !reason) sums.set(estimate.meter, (sums.get(estimate.meter) ?? 0) + estimate.units);
  return sums;
}

/** The table of a dry run, and what of the plan it would use. */
export function showDryRun(rows: readonly Row[], account: Account | undefined): string {
  const table = makeTable([heading, ...rows.map(showRow)]);
  const sums = [...sumUnits(rows)].map(([meter, units]) => {
    const left = account?.quota.find((quota) => quota.meter === meter)?.left;
    return `${formatUnits(units)} (${meter})${left === undefined ? '' : `, of ${formatCount(left)} left`}`;
  });
  const refused = rows.filter(({ reason }) => reason).length;
  const total = `Nothing was made. It would take ${sums.join(' and ') || formatUnits(0)}.`;
  return [table, '', total, ...(refused > 0 ? [`${formatCount(refused)} of them would be refused.`] : [])].join('\n');
}

function showRow({ path, size, estimate, output, reason = output && 'done before' }: Row): string[] {
  const name = relative('.', path);
  if (!estimate || reason) return [name, size ? formatSize(size) : '-', '-', '-', '-', '-', reason ?? ''];
  const { bytes, seconds, units, meter } = estimate;
  return [
    ...[name, size ? formatSize(size) : '-', formatSize(estimate)],
    ...[bytes === null ? '-' : formatBytes(bytes), seconds === null ? '-' : formatSeconds(seconds)],
    ...[formatCount(units), meter],
  ];
}
