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

/** Without a word from the stream the batches are looked at so often, after a word so soon. */
const pollMs = 5_000;
const hintMs = 700;

let following = false;
let wake: () => void = () => {};

/** Put what the server says of a batch into the list. */
export function takeBatch(batch: Batch): void {
  setBulk(({ rows, batches }) => ({
    rows: applyBatch(rows, batch),
    batches: { ...batches, [batch.id]: batch },
    stalled: false,
  }));
}

/** Batches that something happens in. */
function listRunning(): string[] {
  const { rows, signedOut } = getBulk();
  if (signedOut) return [];
  return [...new Set(rows.filter(isUnderWay).flatMap(({ at }) => at?.batchId ?? []))];
}

/** Look at a batch now. One that is gone leaves its rows failed, to be tried anew. */
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

/** Over after the slow poll, or soon after a hint. */
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

/** Follow the batches until nothing happens in them any more: the stream gives hints, the truth is the batch. */
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
