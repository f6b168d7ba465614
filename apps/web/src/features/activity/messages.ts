import type { JobStatus } from '@uprez/contracts/policy/job-status';
import { formatPercent } from '@uprez/contracts/texts/format';

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
  deletedIn: (left: string) => `Expires in ${left}`,
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
        `All files for ${name} will be permanently deleted. The image still counts toward your quota.`,
      confirm: 'Delete image',
    },
    cancel: {
      title: 'Cancel this job?',
      text: (name: string) => `${name} won't be processed. You won't be charged.`,
      confirm: 'Cancel job',
    },
    chargedCancel: {
      title: 'Cancel this job?',
      text: (name: string) => `${name} won't be processed. Canceling now uses 1 credit.`,
      confirm: 'Cancel job',
    },
  },
  cancelled: { title: 'Canceled', description: "You weren't charged." },
  failed: { delete: "Couldn't delete image", cancel: "Couldn't cancel job" },
  empty: { title: 'No images yet', text: 'Images you process appear here until they are deleted.' },
  process: 'Process an image',
  noMatch: { title: 'No matching images', text: 'Choose another status or clear the filter.' },
  clear: 'Clear filter',
} as const;
