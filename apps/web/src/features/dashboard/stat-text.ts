import type { Dashboard, Trend } from '@uprez/contracts/schemas/dashboard';
import { formatCount } from '@uprez/contracts/texts/format';
import { formatDuration, formatSigned } from '../../lib/format/format.ts';
import { dashboardMessages } from './messages.ts';

const text = dashboardMessages.stats;

/** Counters that are compared with the previous period. */
export const comparedStats = ['imagesProcessed', 'apiCalls', 'avgProcessingTime'] as const;
export type ComparedStat = (typeof comparedStats)[number];

const formats: Record<ComparedStat, (value: number) => string> = {
  imagesProcessed: formatCount,
  apiCalls: formatCount,
  avgProcessingTime: formatDuration,
};

/** The value of a counter; a hyphen if there is none yet. */
export function statText(stat: ComparedStat, value: Dashboard[ComparedStat]): string {
  return value === null ? text.none : formats[stat](value);
}

/** The change of a counter: short, and as a sentence with both values. */
export function trendText(stat: ComparedStat, { change, current, previous }: Trend) {
  const format = formats[stat];
  return {
    short: `${text.change(formatSigned(change))} ${text.than(format(previous))}`,
    long: text.comparison(format(current), format(previous)),
  };
}
