import { errorCodes } from '@uprez/contracts/errors/error-codes';
import { isFinal } from '@uprez/contracts/policy/job-status';
import type { Batch } from '@uprez/contracts/schemas/batch';
import type { Job } from '@uprez/contracts/schemas/job';
import { api } from '../../../lib/api/api.ts';
import { hasErrorCode } from '../../../lib/api/api-errors.ts';
import { subscribeToJobs } from '../../../lib/api/job-events.ts';
import { getBulk, setBulk } from '../bulk-store.ts';
import { isUnderWay } from '../list/row.ts';
import { applyBatch, applyJob } from './apply-batch.ts';
import { isSignedOut, sessionEnded } from './session-end.ts';

/** Interval without events, and delay after an event. */
const pollMs = 5_000;
const hintMs = 700;

let following = false;
let wake: () => void = () => {};

/** Stores a batch and applies it to its rows. */
export function takeBatch(batch: Batch): void {
  setBulk(({ rows, batches }) => ({
    rows: applyBatch(rows, batch),
    batches: { ...batches, [batch.id]: batch },
    stalled: false,
  }));
}

/** Ids of the batches with active rows. */
function listRunning(): string[] {
  const { rows, signedOut } = getBulk();
  if (signedOut) return [];
  return [...new Set(rows.filter(isUnderWay).flatMap(({ at }) => at?.batchId ?? []))];
}

/** Refetches a batch. If it no longer exists, its rows fail and can be retried. */
export async function lookAt(id: string): Promise<void> {
  try {
    takeBatch((await api.getBatch({ params: { id } })).data);
  } catch (error) {
    if (isSignedOut(error)) sessionEnded();
    else if (hasErrorCode(error, 'batch_not_found')) forget(id);
    else setBulk({ stalled: true });
  }
}

function forget(batchId: string) {
  const error = errorCodes.batch_not_found.title;
  setBulk(({ rows }) => ({
    rows: rows.map((row) =>
      row.at?.batchId === batchId && row.status !== 'completed'
        ? { ...row, at: undefined, waits: false, status: 'failed', error }
        : row,
    ),
  }));
}

function hear(job: Job) {
  setBulk(({ rows }) => ({ rows: applyJob(rows, job) }));
  if (isFinal(job.status) && getBulk().rows.some(({ at }) => at?.jobId === job.id)) wake();
}

/** Resolves after the poll interval, or soon after a job event. */
function nextLook(): Promise<void> {
  return new Promise((resolve) => {
    let timer = setTimeout(resolve, pollMs);
    wake = () => {
      wake = () => {};
      clearTimeout(timer);
      timer = setTimeout(resolve, hintMs);
    };
  });
}

/** Polls batches while they are active. Job events trigger an earlier poll. */
export function followBatches(): void {
  if (following || listRunning().length === 0) return;
  following = true;
  void follow();
}

async function follow() {
  const stop = subscribeToJobs(hear);
  for (let running = listRunning(); running.length > 0; running = listRunning()) {
    await nextLook();
    await Promise.all(running.map(lookAt));
  }
  stop();
  following = false;
}
