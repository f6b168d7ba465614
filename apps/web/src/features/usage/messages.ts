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
    failed: (count: number) => `${formatCount(count)} failed during processing (not charged)`,
  },
  empty: (days: number) => ({
    title: `No usage in the last ${days} days`,
    text: 'Processed and failed images appear here by day.',
  }),
  ledger: {
    text: 'All credits added, used, or refunded. 1 image uses 1 credit, which is reserved until the job ends.',
  },
} as const;
