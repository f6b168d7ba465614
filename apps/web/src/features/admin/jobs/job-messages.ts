import type { AdminJobDetails } from '@uprez/contracts/schemas/admin/jobs';
import { formatCount } from '@uprez/contracts/texts/format';

export const jobMessages = {
  loading: 'Job',
  notFound: { title: 'Job not found', text: 'Jobs are deleted after 90 days.', back: 'Show all jobs' },
  facts: {
    title: 'Job',
    owner: 'Owner',
    status: 'Status',
    kind: 'Type',
    engine: 'Engine',
    plan: 'Plan',
    noPlan: 'None',
    meter: 'Credit type',
    noMeter: 'None',
    source: 'Original',
    output: 'Result',
    created: 'Created',
    started: 'Last start',
    finished: 'Finished',
    wait: 'Created to last start',
    waiting: 'Waiting for',
    progress: 'Progress',
    estimated: 'Estimated',
    used: 'Processing time, all attempts',
    batch: 'Batch',
    stored: 'Original stored until',
    file: 'Original file',
    noEnd: 'Stored, no end date',
    deleted: 'Deleted',
    moved: 'Used by a retry',
    retryOf: 'Retry of',
    retriedBy: 'Retried by',
  },
  attempts: {
    title: 'Attempts',
    started: 'Started attempts',
    failures: 'Failed attempts',
    cause: 'Cause of the last failure',
    next: 'Next start not before',
    worker: 'Worker',
    lease: 'Lease',
    leaseUntil: (time: string) => `Until ${time}`,
    leaseEnded: (time: string) => `Ended ${time}`,
    notRunning: 'Not running',
  },
  error: { title: 'Error', all: 'Show all jobs with this error' },
  receipt: { title: 'Receipt', none: 'Completed jobs have a receipt.' },
  ledger: { title: 'Credit history', none: 'This job used no credits.' },
  blocked: {
    kind: "Only images of accounts can be retried. This job doesn't belong to one.",
    own: 'This is your own job. Ask another administrator to retry it.',
    retried: 'This job was already retried.',
    retriedByUser: 'The user already retried this image.',
    source: 'The original was deleted. Ask the user to upload the image again.',
    suspended: 'The account is suspended. Restore it to retry this job.',
  },
  retry: {
    action: 'Retry',
    title: (file: string) => `Retry ${file}`,
    description: "Processes the stored original again in a new job. The user isn't charged.",
    submit: 'Retry job',
    pending: 'Retrying...',
    done: 'Retry queued',
  },
  requeue: {
    action: 'Requeue',
    title: (file: string) => `Requeue ${file}`,
    description: 'Returns the job to the queue. A running attempt ends, and no failure is counted.',
    submit: 'Requeue job',
    pending: 'Requeuing...',
    done: 'Job requeued',
  },
  cancel: {
    action: 'Cancel job',
    title: (file: string) => `Cancel ${file}`,
    description: "Ends the job. The user isn't charged and sees that it was canceled.",
    submit: 'Cancel job',
    pending: 'Canceling...',
    done: 'Job canceled',
    keep: 'Keep job',
  },
  seen: (status: string, attempt: number) => `Current state: ${status.toLowerCase()}, attempt ${formatCount(attempt)}.`,
  finished: 'The job has finished.',
  reload: 'Reload',
} as const;

const text = jobMessages.blocked;

type FailedJob = Pick<
  AdminJobDetails,
  'kind' | 'account' | 'retriedBy' | 'sourceMoved' | 'storedSource' | 'accountSuspended'
>;

/** Returns why a failed job can't be retried. Undefined if it can be. `ownId`: the administrator's account ID. */
export function findRetryBlock(job: FailedJob, ownId: string | undefined): string | undefined {
  const { kind, account, retriedBy, sourceMoved, storedSource, accountSuspended } = job;
  if (kind !== 'image' || account === null) return text.kind;
  if (account.id === ownId) return text.own;
  if (retriedBy !== null) return text.retried;
  if (sourceMoved) return text.retriedByUser;
  if (storedSource === null) return text.source;
  return accountSuspended ? text.suspended : undefined;
}
