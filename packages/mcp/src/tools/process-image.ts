import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Image, ProcessedJob, ProcessOptions } from '@uprez/sdk-node';
import type { Call } from '../host.ts';
import { presentJob } from '../results/present-job.ts';
import { readImage } from './read-image.ts';
import { readWaitSeconds, waitForResult } from './wait-for-result.ts';

/** Arguments that aren't options of a job. */
const ownArguments = ['image', 'image_url', 'image_path', 'output_path', 'wait_seconds', 'include_image'];

/** The options of a job among the arguments of a call. */
export const readOptions = (args: Call['args']): ProcessOptions =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !ownArguments.includes(name)));

/** Creates a job, waits for its result, and saves it if the call names a file. */
export async function processImage(call: Call): Promise<CallToolResult> {
  const { files } = call.host;
  // Checked before anything is charged.
  const seconds = readWaitSeconds(call.args);
  const image = await readImage(call);
  const output = await files?.planOutput(call.args.output_path, call.args.format);
  const options = { ...readOptions(call.args), ...(output && { format: output.format }) };
  const job = await submit(call, image, options);
  const { job: ended, isLate } = await waitForResult(call, job, seconds);
  const charged = Math.min(job.charged, ended.credits);
  const left = call.creditsLeft();
  // The credits left were reported when the job was created, before a refund.
  const charge = { charged, left: left === undefined ? undefined : left + job.charged - charged };
  if (!output || ended.status !== 'completed') return presentJob(call, { job: ended, charge, isLate });
  const savedTo = await files?.save(output, call.client.jobs.download(ended));
  return presentJob(call, { job: ended, charge, savedTo });
}

/** A call that is canceled while it sends its image goes on, because its job may exist already. */
const submit = (call: Call, image: Image, options: ProcessOptions): Promise<ProcessedJob> =>
  Promise.resolve(call.client.process(image, options));

/** Keeps the size of the image. */
export const convertImage = (call: Call): Promise<CallToolResult> =>
  processImage({ ...call, args: { ...call.args, scale_factor: 1, engine: 'standard' } });
