import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import {
  ApiError,
  ConnectionError,
  type DryRun,
  type Estimate,
  type EstimateInput,
  type Image,
  type Job,
  JobFailedError,
  type ProcessedJob,
  type ProcessOptions,
  WaitTimeoutError,
} from '@uprez/sdk-node';
import { limits } from '../generated/facts.ts';
import type { Call } from '../host.ts';
import {
  formatBytes,
  formatCount,
  formatCredits,
  formatSeconds,
  formatSize,
  presentData,
  presentJob,
} from '../results/present-job.ts';
import { ToolError } from '../tool-error.ts';

/** Arguments that aren't job options. */
const ownArguments = ['image', 'image_url', 'image_path', 'output_path', 'wait_seconds', 'include_image'];

const readOptions = (args: Call['args']): ProcessOptions =>
  Object.fromEntries(Object.entries(args).filter(([name]) => !ownArguments.includes(name)));

async function processImage(call: Call): Promise<CallToolResult> {
  const { files } = call.host;
  // Validate everything before the job is charged.
  const seconds = readWaitSeconds(call.args);
  const image = await readImage(call);
  const output = await files?.planOutput(call.args.output_path, call.args.format);
  const options = { ...readOptions(call.args), ...(output && { format: output.format }) };
  const job = await submit(call, image, options);
  const { job: ended, isLate } = await waitForResult(call, job, seconds);
  const charged = Math.min(job.charged, ended.credits);
  const left = call.creditsLeft();
  // `left` was reported when the job was created, so add what has been refunded since then.
  const charge = { charged, left: left === undefined ? undefined : left + job.charged - charged };
  if (!output || ended.status !== 'completed') return presentJob(call, { job: ended, charge, isLate });
  const savedTo = await files?.save(output, call.client.jobs.download(ended));
  return presentJob(call, { job: ended, charge, savedTo });
}

/** The upload continues if the call is canceled, because the job may already exist. */
const submit = (call: Call, image: Image, options: ProcessOptions): Promise<ProcessedJob> =>
  Promise.resolve(call.client.process(image, options));

const convertImage = (call: Call): Promise<CallToolResult> =>
  processImage({ ...call, args: { ...call.args, scale_factor: 1, engine: 'standard' } });

const estimateArguments = ['width', 'height', 'bytes', 'has_alpha', 'source_format', 'frames'];

async function estimateJob(call: Call): Promise<CallToolResult> {
  const found = hasImage(call) ? await estimateImage(call) : await estimateFromDimensions(call);
  const left = call.creditsLeft();
  return presentData(describeEstimate(found, left), {
    ...found,
    ...(left !== undefined && { credits_remaining: left }),
  });
}

async function estimateImage(call: Call): Promise<DryRun> {
  const image = await readImage(call);
  const extra = estimateArguments.filter((name) => call.args[name] !== undefined);
  if (extra.length > 0)
    throw new ToolError(
      `Omit ${extra.map((name) => `"${name}"`).join(', ')}: the image is known. For the size of the result, use "target".`,
    );
  const { target, ...options } = readOptions(call.args) as ProcessOptions & { target?: object };
  return call.client.dryRun(image, { ...options, ...target }, { signal: call.signal });
}

async function estimateFromDimensions({ args, client, signal }: Call): Promise<Estimate> {
  const { width, height } = args;
  if (typeof width !== 'number' || typeof height !== 'number')
    throw new ToolError('Send an image, or its "width" and "height".');
  const { filename: _, ...options } = readOptions(args);
  return client.estimate({ ...options, width, height } as EstimateInput, { signal });
}

function describeEstimate(found: DryRun | Estimate, left: number | undefined): string {
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
  estimate: estimateJob,
  get_job: getJob,
  get_account: getAccount,
  save_result: saveResult,
};

/** Runs a tool. Throws ToolError, UprezError, or the signal's reason if the call is aborted. */
export function runTool(name: string, call: Call): Promise<CallToolResult> {
  const run = runners[name];
  if (!run) throw new Error(`The tool ${name} has no code.`);
  return run(call);
}

async function getAccount({ client, signal }: Call): Promise<CallToolResult> {
  const account = await client.account({ signal });
  const quotas = account.quota.map(
    ({ meter, left, resets_at }) =>
      `${formatCount(left)} credits left (${meter}), which reset on ${resets_at.slice(0, 10)}.`,
  );
  return presentData([`Plan: ${account.plan.name}.`, ...quotas].join(' '), account);
}

async function saveResult(call: Call): Promise<CallToolResult> {
  const { client, args, signal } = call;
  const { files } = call.host;
  if (!files) throw new ToolError('This server has no access to files.');
  const job = await client.jobs.get(String(args.job_id), { signal });
  const output = await files.planOutput(args.output_path, job.format);
  const savedTo = output && (await files.save(output, client.jobs.download(job, { signal })));
  return presentJob({ ...call, args: { include_image: false } }, { job, savedTo });
}

/** Waits for a job to end and returns it, even if it failed. Canceling the call doesn't cancel the job. */
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

const imageArguments = ['image_url', 'image', 'image_path'] as const;
const dataUrlPattern = /^data:[\w.+/-]{1,100};base64,/;
const base64Pattern = /^[A-Za-z0-9+/_-]*={0,2}$/;

const hasImage = ({ args }: Pick<Call, 'args'>): boolean => imageArguments.some((way) => args[way] !== undefined);

/**
 * Opens the image that a call sends. Throws ToolError if the call doesn't have exactly one image, or if reading the
 * image isn't allowed.
 */
async function readImage({ args, host: { files, openImage } }: Pick<Call, 'args' | 'host'>): Promise<Image> {
  const [way, other] = imageArguments.filter((name) => args[name] !== undefined);
  if (!way || other) {
    const possible = imageArguments.filter((name) => files || name !== 'image_path').map((name) => `"${name}"`);
    throw new ToolError(`Send the image as exactly one of ${possible.join(', ')}.`);
  }
  const value = String(args[way]);
  if (way === 'image') return (await openImage?.(value)) ?? decodeImage(value);
  if (way === 'image_path' && files) return files.openImage(value);
  // Reject other strings, because the API client would treat them as file paths.
  if (!/^https:\/\//i.test(value)) throw new ToolError(`"image_url" must be a URL that begins with https://.`);
  return value;
}

function decodeImage(text: string): Uint8Array {
  const digits = text.replace(dataUrlPattern, '').replaceAll(/\s/g, '');
  if (!base64Pattern.test(digits) || digits === '')
    throw new ToolError('"image" must be base64, optionally prefixed with "data:image/...;base64,".');
  const bytes = Buffer.from(digits, 'base64');
  if (bytes.length > limits.jsonImageBytes)
    throw new ToolError(
      `"image" has ${bytes.length} bytes. The limit is ${limits.jsonImageBytes} bytes. Send larger images as "image_url".`,
    );
  return bytes;
}

/** `isLate`: whether waiting stopped before the job ended. */
type WaitResult = { job: Job; isLate: boolean };

/**
 * Waits for a job and reports its progress. Throws JobFailedError if the job fails. If the client cancels the call,
 * also cancels the job if that's free, and throws the signal's reason.
 */
async function waitForResult(call: Call, start: Job, seconds: number): Promise<WaitResult> {
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
    // Return the job instead of throwing, because the model needs its ID to check it again later.
    if (error instanceof WaitTimeoutError || isTransient(error)) return { job: last, isLate: true };
    throw error;
  }
}

/** Returns how long to wait for a job, in seconds. Throws ToolError if the value is out of range. */
function readWaitSeconds({ wait_seconds: value = limits.waitSeconds }: Call['args']): number {
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

/**
 * Cancels a job if canceling is free. Otherwise, the job would be charged anyway, so it continues and its result is
 * kept.
 */
async function cancelIfFree({ client, host, signal }: Call, id: string): Promise<void> {
  // If the client canceled the call, the signal's reason is a string. If the transport aborted the call, the client has
  // disconnected, and the job continues.
  if (!host.cancelsJobs || (signal.reason !== undefined && typeof signal.reason !== 'string')) return;
  const job = await client.jobs.get(id);
  const isFree = job.status === 'queued' || Date.parse(job.free_cancel_until ?? '') > Date.now();
  if (isFree) await client.jobs.cancel(id);
}
