import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { DryRun, Estimate, EstimateInput, ProcessOptions } from '@uprez/sdk-node';
import type { Call } from '../host.ts';
import { formatBytes, formatCredits, formatSeconds, formatSize } from '../results/format.ts';
import { presentData } from '../results/present-data.ts';
import { ToolError } from '../tool-error.ts';
import { readOptions } from './process-image.ts';
import { hasImage, readImage } from './read-image.ts';

/** Arguments that describe an image that isn't sent. */
const facts = ['width', 'height', 'bytes', 'has_alpha', 'source_format', 'frames'];

/** Estimates a job, from an image or from its width and height. */
export async function estimate(call: Call): Promise<CallToolResult> {
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
