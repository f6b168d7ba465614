import type { LedgerEntry } from '@uprez/contracts/schemas/metering';
import { formatCount, pluralize } from '@uprez/contracts/texts/format';

export const usageMessages = {
  period: 'Period',
  days: (days: number) => `${days} days`,
  split: 'Split by',
  splits: { surface: 'Source', engine: 'Engine' },
  chart: 'Images per day (UTC)',
  web: 'Web',
  api: 'API',
  ai: 'AI',
  standard: 'Standard',
  failed: 'Failed',
  totals: {
    completed: (count: number) => `${pluralize(count, 'image')} processed`,
    failed: (count: number) => `${formatCount(count)} failed (not charged)`,
  },
  empty: (days: number) => ({
    title: `No usage in the last ${days} days`,
    text: 'Processed and failed images appear here by day.',
  }),
  ledger: {
    text: 'All credits added, used, or refunded. 1 image uses 1 credit, which is reserved until the job ends.',
    caption: 'Credit history, newest first',
    time: 'Time',
    kind: 'Type',
    reason: 'Reason',
    meter: 'Images',
    units: 'Credits',
    meters: { ai: 'AI', standard: 'Standard', shared: 'Any' },
    kinds: {
      grant: 'Added',
      reserve: 'Reserved',
      settle: 'Charged (reserved before)',
      release: 'Refunded',
      expire: 'Expired',
      reverse: 'Removed (payment refunded)',
    } satisfies Record<LedgerEntry['kind'], string>,
    empty: { title: 'No credit history yet', text: 'Credits you receive and use appear here.' },
  },
} as const;
