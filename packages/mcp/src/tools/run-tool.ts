import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  type DryRun,
  type Estimate,
  type EstimateInput,
  type Image,
  JobFailedError,
  type ProcessedJob,
  type ProcessOptions,
} from '@uprez/sdk-node';
import type { Call } from '../host.ts';
import { formatBytes, formatCount, formatCredits, formatSeconds, formatSize } from '../results/format.ts';
import { presentData } from '../results/present-data.ts';
import { presentJob } from '../results/present-job.ts';
import { ToolError } from '../tool-error.ts';
import { hasImage, readImage } from './read-image.ts';
import { readWaitSeconds, waitForResult } from './wait-for-result.ts';

/** Arguments that aren't options of a job. */
const ownArguments = ['image', 'image_url', 'image_path', 'output_path', 'wait_seconds', 'include_image'];

/** The options of a job among the arguments of a call. */
const readOptions = (args: Call['args']): ProcessOptions =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !ownArguments.includes(name)));

/** Creates a job, waits for its result, and saves it if the call names a file. */
async function processImage(call: Call): Promise<CallToolResult> {
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
const convertImage = (call: Call): Promise<CallToolResult> =>
  processImage({ ...call, args: { ...call.args, scale_factor: 1, engine: 'standard' } });

/** Arguments that describe an image that isn't sent. */
const facts = ['width', 'height', 'bytes', 'has_alpha', 'source_format', 'frames'];

/** Estimates a job, from an image or from its width and height. */
async function estimate(call: Call): Promise<CallToolResult> {
  const found = hasImage(call) ? await estimateImage(call) : await estimateFacts(call);
  const left = call.creditsLeft();
  return presentData(describe(found, left), { ...found, ...(left !== undefined && { credits_remaining: left }) });
}

async function estimateImage(call: Call): Promise<DryRun> {
  const image = await readImage(call);
  const extra = facts.filter((name) => call.args[name] !== undefined);
  if (extra.length > 0)
    throw new ToolError(
      `Omit ${extra.map((name) => `"${name}"`).join(', ')}: the image is known. For the size of the result, use "target".`,
    );
  const { target, ...options } = readOptions(call.args) as ProcessOptions & { target?: object };
  return call.client.dryRun(image, { ...options, ...target }, { signal: call.signal });
}

async function estimateFacts({ args, client, signal }: Call): Promise<Estimate> {
  const { width, height } = args;
  if (typeof width !== 'number' || typeof height !== 'number')
    throw new ToolError('Send an image, or its "width" and "height".');
  const { filename: _, ...options } = readOptions(args);
  return client.estimate({ ...options, width, height } as EstimateInput, { signal });
}

function describe(found: DryRun | Estimate, left: number | undefined): string {
  if ('limit' in found && found.limit) {
    const { detail, limit, value, max_scale } = found.limit;
    const largest = max_scale === undefined ? '' : ` The largest scale factor that works is ${max_scale}.`;
    return `This job would be rejected: ${detail} Limit: ${limit}. Value: ${value}.${largest}`;
  }
  const { units, meter, width, height, bytes, seconds } = found;
  const cost = `This job would cost ${formatCredits(units)} (${meter}).`;
  const size = `The result would have ${formatSize({ width, height })}${bytes === null ? '' : ` and about ${formatBytes(bytes)}`}.`;
  const time = seconds === null ? '' : ` It would take about ${formatSeconds(seconds)}.`;
  return `${cost}${left === undefined ? '' : ` You have ${formatCredits(left)} left.`} ${size}${time}`;
}

const runners: Record<string, (call: Call) => Promise<CallToolResult>> = {
  upscale_image: processImage,
  resize_image: processImage,
  convert_image: convertImage,
  estimate,
  get_job: getJob,
  get_account: getAccount,
  save_result: saveResult,
};

/** Runs a tool. Throws ToolError, UprezError, and the reason of the call's signal. */
export function runTool(name: string, call: Call): Promise<CallToolResult> {
  const run = runners[name];
  if (!run) throw new Error(`The tool ${name} has no code.`);
  return run(call);
}

/** Returns the plan, quotas, and API key. */
async function getAccount({ client, signal }: Call): Promise<CallToolResult> {
  const account = await client.account({ signal });
  const quotas = account.quota.map(
    ({ meter, left, resets_at }) =>
      `${formatCount(left)} credits left (${meter}), which reset on ${resets_at.slice(0, 10)}.`,
  );
  return presentData([`Plan: ${account.plan.name}.`, ...quotas].join(' '), account);
}

/** Writes the result of a completed job to a new file. */
async function saveResult(call: Call): Promise<CallToolResult> {
  const { client, args, signal } = call;
  const { files } = call.host;
  if (!files) throw new ToolError('This server has no access to files.');
  const job = await client.jobs.get(String(args.job_id), { signal });
  const output = await files.planOutput(args.output_path, job.format);
  const savedTo = output && (await files.save(output, client.jobs.download(job, { signal })));
  return presentJob({ ...call, args: { include_image: false } }, { job, savedTo });
}

/** Waits for a job and returns it, also if it failed. The job goes on if the call is canceled. */
async function getJob(call: Call): Promise<CallToolResult> {
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
