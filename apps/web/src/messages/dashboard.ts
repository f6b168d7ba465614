import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { LedgerEntry } from '@uprez/contracts/schemas/metering';
import { formatCount, formatPercent, pluralize } from '@uprez/contracts/texts/format';

/** Texts of the dashboard's cards, quota, and tabs. */
export const dashboardMessages = {
  tabs: {
    label: 'Dashboard',
    processor: 'Image Processor',
    activity: 'Recent Activity',
    'api-keys': 'API Keys',
  },
  stats: {
    label: 'This month',
    imagesProcessed: 'Images processed',
    apiCalls: 'API calls',
    avgProcessingTime: 'Average time',
    storage: 'Storage',
    notes: {
      imagesProcessed: 'Images processed in the web app this month',
      apiCalls: 'Images processed through the API this month',
      avgProcessingTime: 'Average time from start to result this month',
    },
    none: '-',
    noBase: 'No previous period to compare with',
    change: (percent: string) => `${percent}%`,
    than: (previous: string) => `from ${previous}`,
    comparison: (current: string, previous: string) => `${current} this month, ${previous} in the previous period`,
    storageUse: (limit: string) => `of ${limit}. Includes results and uploads in progress.`,
  },
  quota: {
    title: 'Usage this period',
    units: 'View credit history',
  },
} as const;

/** Texts of the activity list. */
export const activityMessages = {
  views: { label: 'Show', images: 'Images', usage: 'Usage', units: 'Credits' },
  list: 'Recent activity',
  filter: 'Status',
  all: 'All statuses',
  statuses: {
    queued: 'Queued',
    processing: 'Processing',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Canceled',
    expired: 'Deleted',
  } satisfies Record<JobStatus, string>,
  processing: (percent: number) => `Processing, ${formatPercent(percent)}`,
  queued: (before: number) => `Queued, ${before} ahead`,
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  factor: (factor: number) => `${factor}x`,
  change: (from: string, to: string) => `${from} -> ${to}`,
  deletedIn: (left: string) => `Deleted in ${left}`,
  deletedNow: 'Deleting',
  noPreview: 'No preview',
  downloadHint: 'Download',
  download: (name: string) => `Download ${name}`,
  more: (name: string) => `Actions for ${name}`,
  receipt: 'View receipt',
  deleteNow: 'Delete now',
  cancel: 'Cancel job',
  confirm: {
    delete: {
      title: 'Delete this image?',
      text: (name: string) =>
        `The files of ${name} will be permanently deleted. The image still counts toward your quota.`,
      confirm: 'Delete image',
    },
    cancel: {
      title: 'Cancel this job?',
      text: (name: string) => `${name} won't be processed. You won't be charged.`,
      confirm: 'Cancel job',
    },
  },
  cancelled: { title: 'Canceled', description: "You weren't charged." },
  failed: { delete: "The image couldn't be deleted", cancel: "The job couldn't be canceled" },
  empty: {
    title: 'No images yet',
    text: 'Images you process appear here until they are deleted.',
  },
  process: 'Process an image',
  noMatch: { title: 'No matching images', text: 'Choose another status or clear the filter.' },
  clear: 'Clear filter',
} as const;

/** Texts of the daily usage and the credit history. */
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
    text: 'Every credit that was added, used, or refunded. One image uses one credit.',
    caption: 'Credits, newest first',
    time: 'Time',
    kind: 'Type',
    reason: 'Reason',
    meter: 'Images',
    units: 'Credits',
    meters: { ai: 'AI', standard: 'Standard', shared: 'Any' },
    kinds: {
      grant: 'Added',
      reserve: 'Reserved',
      settle: 'Charged',
      release: 'Refunded',
      expire: 'Expired',
    } satisfies Record<LedgerEntry['kind'], string>,
    empty: { title: 'No credits yet', text: 'Credits that you receive and use appear here.' },
  },
} as const;
