import type { Metric } from '@uprez/contracts/schemas/admin/analytics';
import { formatCount, formatPercent, formatPrice } from '@uprez/contracts/texts/format';
import { formatDuration } from '../../../lib/format/format.ts';
import { analyticsMessages } from './messages.ts';

/**
 * How a number is formatted. Shares are 0 to 1, times are milliseconds, and amounts are dollars. `cost` includes
 * fractions of a cent.
 */
export type NumberKind = 'count' | 'average' | 'hours' | 'amount' | 'cost' | 'share' | 'time';

const cents = (amount: number) => Math.round(amount * 100) / 100;

const smallPrices = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumSignificantDigits: 2,
  maximumSignificantDigits: 3,
});
/** Costs below this many dollars have 2 or 3 significant digits, such as `$0.00234`. */
const smallCostLimit = 0.995;

const formats: Record<NumberKind, (value: number) => string> = {
  count: formatCount,
  average: (value) => formatCount(Math.round(value * 10) / 10),
  hours: (value) => formatCount(cents(value)),
  amount: (value) => formatPrice(cents(value)),
  cost: (value) => (value > 0 && value < smallCostLimit ? smallPrices.format(value) : formatPrice(cents(value))),
  share: (value) => formatPercent(100 * value),
  time: formatDuration,
};

/** Formats a number, or returns a dash if there is none. */
export const formatNumber = (value: number | null | undefined, kind: NumberKind): string =>
  value === null || value === undefined ? analyticsMessages.unknown : formats[kind](value);

/**
 * Formats the change since the previous period, such as `+12%` or `0%`. Returns a dash if either value is missing or
 * the previous value is 0.
 */
export function formatMetricChange({ value, previous }: Metric): string {
  if (value === null || previous === null || previous === 0) return analyticsMessages.unknown;
  const percent = 100 * (value / previous - 1);
  return `${percent > 0 ? '+' : ''}${formatPercent(Math.round(percent * 10) / 10)}`;
}
