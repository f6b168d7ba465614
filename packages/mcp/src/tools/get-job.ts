import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { JobFailedError } from '@uprez/sdk-node';
import type { Call } from '../host.ts';
import { presentJob } from '../results/present-job.ts';
import { waitForResult } from './wait-for-result.ts';

/** Waits for a job and returns it, also if it failed. The job goes on if the call is canceled. */
export async function getJob(call: Call): Promise<CallToolResult> {
  const start = await call.client.jobs.get(String(call.args.job_id), { signal: call.signal });
  try {
    return presentJob(call, await waitForResult({ ...call, host: { ...call.host, cancelsJobs: false } }, start));
  } catch (error) {
    if (error instanceof JobFailedError) return presentJob(call, { job: error.job });
    throw error;
  }
}
