import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Call } from '../host.ts';
import { presentJob } from '../results/present-job.ts';
import { ToolError } from '../tool-error.ts';

/** Writes the result of a completed job to a new file. */
export async function saveResult(call: Call): Promise<CallToolResult> {
  const { client, args, signal } = call;
  const { files } = call.host;
  if (!files) throw new ToolError('This server has no access to files.');
  const job = await client.jobs.get(String(args.job_id), { signal });
  const output = await files.planOutput(args.output_path, job.format);
  const savedTo = output && (await files.save(output, client.jobs.download(job, { signal })));
  return presentJob({ ...call, args: { include_image: false } }, { job, savedTo });
}
