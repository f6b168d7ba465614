import { relative } from 'node:path';
import type { Account, Estimate } from '@uprez/sdk-node';
import type { EstimateRow } from '../processing/estimate-images.ts';
import { formatBytes, formatCount, formatCredits, formatSeconds, formatSize, formatTable } from './format.ts';

const heading = ['Image', 'Size', 'Result', 'File size', 'Time', 'Credits', ''];

export function sumCredits(rows: readonly EstimateRow[]): Map<Estimate['meter'], number> {
  const sums = new Map<Estimate['meter'], number>();
  for (const { estimate, reason } of rows)
    if (estimate && !reason) sums.set(estimate.meter, (sums.get(estimate.meter) ?? 0) + estimate.units);
  return sums;
}

/** Formats the estimates of a dry run, and the remaining credits. */
export function formatDryRun(rows: readonly EstimateRow[], account: Account | undefined): string {
  const table = formatTable([heading, ...rows.map(formatRow)]);
  const sums = [...sumCredits(rows)].map(([meter, units]) => {
    const left = account?.quota.find((quota) => quota.meter === meter)?.left;
    return `${formatCredits(units)} (${meter}${left === undefined ? '' : `, ${formatCount(left)} left`})`;
  });
  const rejected = rows.filter(({ reason }) => reason).length;
  const total = `This would cost ${sums.join(' and ') || formatCredits(0)}.`;
  return `${table}\n\n${total}${rejected > 0 ? `\n${formatCount(rejected)} of the images would be rejected.` : ''}`;
}

function formatRow({ path, size, estimate, output, reason = output && 'already done' }: EstimateRow): string[] {
  const name = relative('.', path);
  if (!estimate || reason) return [name, size ? formatSize(size) : '-', '-', '-', '-', '-', reason ?? ''];
  const { bytes, seconds, units, meter } = estimate;
  const file = bytes === null ? '-' : formatBytes(bytes);
  const time = seconds === null ? '-' : formatSeconds(seconds);
  return [name, size ? formatSize(size) : '-', formatSize(estimate), file, time, formatCount(units), meter];
}
