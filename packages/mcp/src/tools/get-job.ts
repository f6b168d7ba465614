import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { JobFailedError } from '@uprez/sdk-node';
import type { Call } from '../host.ts';
import { presentJob } from '../results/present-job.ts';
import { readWaitSeconds, waitForResult } from './wait-for-result.ts';

/** Waits for a job and returns it, also if it failed. The job goes on if the call is canceled. */
export async function getJob(call: Call): Promise<CallToolResult> {
  const seconds = readWaitSeconds(call.args);
  const start = await call.client.jobs.get(String(call.args.job_id), { signal: call.signal });
  try {
    const kept = { ...call, host: { ...call.host, cancelsJobs: false } };
    return await presentJob(call, await waitForResult(kept, start, seconds));
  } catch (error) {
    if (error instanceof JobFailedError) return presentJob(call, { job: error.job });
    throw error;
  }
}
