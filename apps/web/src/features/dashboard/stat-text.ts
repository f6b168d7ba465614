import type { Dashboard, Trend } from '@uprez/contracts/schemas/dashboard';
import { formatCount } from '@uprez/contracts/texts/format';
import { formatDuration, formatSigned } from '../../lib/format/format.ts';
import { dashboardMessages } from '../../messages/dashboard.ts';

const text = dashboardMessages.stats;

/** The counters that are compared with the period before. */
export const comparedStats = ['imagesProcessed', 'apiCalls', 'avgProcessingTime'] as const;
export type ComparedStat = (typeof comparedStats)[number];

const formats: Record<ComparedStat, (value: number) => string> = {
  imagesProcessed: formatCount,
  apiCalls: formatCount,
  avgProcessingTime: formatDuration,
};

/** A counter in words; a hyphen where there is none yet. */
export function statText(stat: ComparedStat, value: Dashboard[ComparedStat]): string {
  return value === null ? text.none : formats[stat](value);
}

/** How a counter changed: in short, and as a sentence with both numbers. */
export function trendText(stat: ComparedStat, { change, current, previous }: Trend) {
  const format = formats[stat];
  return {
    short: `${text.change(formatSigned(change))} ${text.than(format(previous))}`,
    long: text.comparison(format(current), format(previous)),
  };
}
