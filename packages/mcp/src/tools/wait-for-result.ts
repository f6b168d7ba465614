import { ApiError, ConnectionError, type Job, WaitTimeoutError } from '@uprez/sdk-node';
import { limits } from '../generated/facts.ts';
import type { Call } from '../host.ts';
import { ToolError } from '../tool-error.ts';

/** `isLate`: the job hasn't ended. */
type Waited = { job: Job; isLate: boolean };

/**
 * Waits for a job and reports its progress. Throws JobFailedError. If the client cancels the call meanwhile, the job is
 * canceled if that is free, and the reason of the signal is thrown.
 */
export async function waitForResult(call: Call, start: Job, seconds: number): Promise<Waited> {
  const { client, signal } = call;
  let last = start;
  const onProgress = (job: Job) => {
    last = job;
    call.report(job.progress, describeProgress(job));
  };
  try {
    const job = await client.jobs.waitFor(start, { timeoutMs: seconds * 1_000, signal, onProgress });
    return { job, isLate: false };
  } catch (error) {
    if (signal.aborted) await cancelIfFree(call, last.id);
    // The job exists, so the model must learn its ID even if it can't be read at the moment.
    if (error instanceof WaitTimeoutError || isTransient(error)) return { job: last, isLate: true };
    throw error;
  }
}

/** Returns the seconds that a call waits. Throws ToolError. */
export function readWaitSeconds({ wait_seconds: value = limits.waitSeconds }: Call['args']): number {
  const seconds = Number(value);
  if (seconds >= 0 && seconds <= limits.maxWaitSeconds) return seconds;
  throw new ToolError(`"wait_seconds" must be from 0 to ${limits.maxWaitSeconds}. You sent ${seconds}.`);
}

const isTransient = (error: unknown) =>
  error instanceof ConnectionError || (error instanceof ApiError && (error.status === 429 || error.status >= 500));

const describeProgress = ({ id, status, progress, queue_position: ahead }: Job): string =>
  status === 'queued'
    ? `Job ${id} is queued${ahead === undefined ? '' : `, ${ahead} ahead of it`}.`
    : `Job ${id} is ${status}: ${progress}%.`;

/** A canceled job is charged if it ran too long. Its result is worth more than nothing then. */
async function cancelIfFree({ client, host, signal }: Call, id: string): Promise<void> {
  // Aborted by the transport: the client is gone. Canceled by the client: the reason is a text.
  if (!host.cancelsJobs || (signal.reason !== undefined && typeof signal.reason !== 'string')) return;
  const job = await client.jobs.get(id);
  const isFree = job.status === 'queued' || Date.parse(job.free_cancel_until ?? '') > Date.now();
  if (isFree) await client.jobs.cancel(id);
}
