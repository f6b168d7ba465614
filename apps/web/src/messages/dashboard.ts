import type { JobStatus } from '@uprez/contracts/policy/job-status';
import type { LedgerEntry } from '@uprez/contracts/schemas/metering';
import { formatCount, formatPercent, pluralize } from '@uprez/contracts/texts/format';

/** Texts of the dashboard: its cards, the quota, the tabs. */
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
      imagesProcessed: 'Images made on this site this month',
      apiCalls: 'Images made through the API this month',
      avgProcessingTime: 'From start to delivery, this month',
    },
    none: '-',
    noBase: 'No earlier period to compare with',
    change: (percent: string) => `${percent}%`,
    than: (previous: string) => `from ${previous}`,
    comparison: (current: string, previous: string) => `${current} this month, ${previous} in as many days before it`,
    storageUse: (limit: string) => `of ${limit}: results until they are deleted, and uploads in work`,
  },
  quota: {
    title: 'Used so far',
    units: 'Where each unit went',
  },
} as const;

/** Texts of the list of jobs. */
export const activityMessages = {
  views: { label: 'Show', images: 'Images', usage: 'Per day', units: 'Units' },
  list: 'Recent activity',
  filter: 'Status',
  all: 'All statuses',
  statuses: {
    queued: 'Waiting',
    processing: 'Processing',
    completed: 'Completed',
    failed: 'Failed',
    cancelled: 'Cancelled',
    expired: 'Deleted',
  } satisfies Record<JobStatus, string>,
  processing: (percent: number) => `Processing, ${formatPercent(percent)}`,
  queued: (before: number) => `Waiting, ${before} before it`,
  shown: (shown: string, total: string) => `${shown} of ${total}`,
  factor: (factor: number) => `${factor}x`,
  change: (from: string, to: string) => `${from} -> ${to}`,
  deletedIn: (left: string) => `Deleted in ${left}`,
  deletedNow: 'Being deleted',
  noPreview: 'No preview',
  downloadHint: 'Download',
  download: (name: string) => `Download ${name}`,
  more: (name: string) => `More for ${name}`,
  receipt: 'Receipt',
  deleteNow: 'Delete now',
  cancel: 'Cancel the job',
  confirm: {
    delete: {
      title: 'Delete this image now?',
      text: (name: string) =>
        `The files of ${name} are removed and cannot be brought back. What was made stays counted.`,
      confirm: 'Delete now',
    },
    cancel: {
      title: 'Cancel this job?',
      text: (name: string) => `${name} won't be processed. You won't be charged.`,
      confirm: 'Cancel the job',
    },
  },
  cancelled: { title: 'Canceled', description: "You weren't charged." },
  failed: { delete: 'The image was not deleted', cancel: 'The job was not cancelled' },
  empty: {
    title: 'No images yet',
    text: 'What you process appears here, while it is made and until it is deleted.',
  },
  process: 'Process an image',
  noMatch: { title: 'No image has this status', text: 'Choose another status, or see all.' },
  clear: 'Clear filters',
} as const;

/** Texts of the usage per day and of the ledger. */
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
    completed: (count: number) => `${pluralize(count, 'image')} delivered`,
    failed: (count: number) => `${formatCount(count)} failed, not charged`,
  },
  empty: (days: number) => ({
    title: `Nothing in the last ${days} days`,
    text: 'Each day shows the images that were delivered, and those that failed.',
  }),
  ledger: {
    text: 'Every unit that came, was taken or given back, with its reason.',
    caption: 'Units, the newest first',
    time: 'Time',
    kind: 'What',
    reason: 'Reason',
    meter: 'Kind',
    units: 'Units',
    meters: { ai: 'AI', standard: 'Standard', shared: 'Any' },
    kinds: {
      grant: 'Given',
      reserve: 'Taken',
      settle: 'Kept',
      release: 'Given back',
      expire: 'Ended',
    } satisfies Record<LedgerEntry['kind'], string>,
    empty: { title: 'No units yet', text: 'The units of your plan appear here, and each one that is used.' },
  },
} as const;
