import { ApiError } from '@uprez/client/api-error';
import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { isFinalStatus } from '@uprez/contracts/policy/job-status';
import type { Batch } from '@uprez/contracts/schemas/jobs/batch';
import type { Job } from '@uprez/contracts/schemas/jobs/job';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { subscribeToJobs } from '../../../lib/api/job-events.ts';
import { userKey } from '../../../lib/api/queries.ts';
import { queryClient } from '../../../lib/api/query-client.ts';
import { getBulk, setBulk } from '../state/bulk-store.ts';
import { isActive, isAwaitingUpload, type Row } from '../state/row.ts';
import { applyBatch, applyJob } from './apply-batch.ts';

export const isSignedOut = (error: unknown) => error instanceof ApiError && error.status === 401;

/**
 * Pauses the list until the user signs in again. Clears the user, which makes the page redirect to the sign-in page.
 */
export function pauseForSignIn(): void {
  setBulk({ signedOut: true });
  queryClient.setQueryData(userKey, null);
}

/** Polling interval without job events, and delay before the poll that a job event triggers, in milliseconds. */
const pollMs = 5_000;
const eventPollDelayMs = 700;

let isPolling = false;
let wakePoller: () => void = () => {};

export function storeBatch(batch: Batch): void {
  setBulk(({ rows, batches }) => ({
    rows: applyBatch(rows, batch),
    batches: { ...batches, [batch.id]: batch },
    stalled: false,
  }));
}

function listActiveBatchIds(): string[] {
  const { rows, signedOut, paused } = getBulk();
  if (signedOut) return [];
  const isRunning = (row: Row) => isActive(row) && !(paused && isAwaitingUpload(row));
  return [...new Set(rows.filter(isRunning).flatMap(({ item }) => item?.batchId ?? []))];
}

/** Refetches a batch. If it no longer exists, its rows fail and can be retried. */
export async function refetchBatch(id: string): Promise<void> {
  try {
    storeBatch((await api.getBatch({ params: { id } })).data);
  } catch (error) {
    if (isSignedOut(error)) pauseForSignIn();
    else if (hasErrorCode(error, 'batch_not_found')) failRows(id);
    else setBulk({ stalled: true });
  }
}

/** Refetches the batches of finished rows, because the rows' download links expire. */
export async function renewLinks(): Promise<void> {
  const { rows, signedOut } = getBulk();
  const finished = rows.filter(({ status }) => status === 'completed');
  const ids = new Set(finished.flatMap(({ item }) => item?.batchId ?? []));
  if (!signedOut && navigator.onLine) await Promise.all([...ids].map(refetchBatch));
}

function failRows(batchId: string) {
  const error = errorCodes.batch_not_found.title;
  setBulk(({ rows }) => ({
    rows: rows.map((row) =>
      row.item?.batchId === batchId && row.status !== 'completed'
        ? { ...row, item: undefined, awaitsFile: false, status: 'failed', error }
        : row,
    ),
  }));
}

function handleJobEvent(job: Job) {
  setBulk(({ rows }) => ({ rows: applyJob(rows, job) }));
  if (isFinalStatus(job.status) && getBulk().rows.some(({ item }) => item?.jobId === job.id)) wakePoller();
}

function waitForNextPoll(): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, pollMs);
    wakePoller = () => {
      wakePoller = () => {};
      clearTimeout(timer);
      timer = setTimeout(resolve, eventPollDelayMs);
    };
  });
}

/** Polls batches while they are active. Job events trigger an earlier poll. */
export function pollBatches(): void {
  if (isPolling || listActiveBatchIds().length === 0) return;
  isPolling = true;
  void pollUntilIdle();
}

async function pollUntilIdle() {
  const stop = subscribeToJobs(handleJobEvent);
  for (let running = listActiveBatchIds(); running.length > 0; running = listActiveBatchIds()) {
    await waitForNextPoll();
    await Promise.all(running.map(refetchBatch));
  }
  stop();
  isPolling = false;
}
