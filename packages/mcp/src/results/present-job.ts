import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { CallToolResult, ContentBlock, ImageContent, ResourceLink } from '@modelcontextprotocol/sdk/types.js';
import { type Job, UprezError } from '@uprez/sdk-node';
import { limits, mediaTypes } from '../generated/facts.ts';
import type { Call } from '../host.ts';

type Charge = { charged: number; left: number | undefined };
/**
 * `charge` is set for a new job. `isLate` is whether the wait ended before the job did. `savedTo` is the path of the
 * saved result.
 */
type PresentedJob = { job: Job; charge?: Charge; isLate?: boolean; savedTo?: string | undefined };

/** Returns the tool result for a job: a summary, a link to the image, and the image itself if it is small. */
export async function presentJob(call: Call, presented: PresentedJob): Promise<CallToolResult> {
  const { job, charge, savedTo } = presented;
  const data = {
    ...job,
    ...(charge && { credits_charged: charge.charged }),
    ...(charge?.left !== undefined && { credits_remaining: charge.left }),
    ...(savedTo !== undefined && { saved_to: savedTo }),
  };
  const image = await loadImage(call, job);
  const link = linkTo(job, savedTo);
  return presentData(describeJob(presented), data, [...(image ? [image] : []), ...(link ? [link] : [])]);
}

function describeJob({ job, charge, isLate = false, savedTo }: PresentedJob): string {
  const state = isLate ? describePendingJob(job) : describeEndedJob(job, savedTo);
  return [state, charge && describeCharge(charge, job.cached), ...job.notes].filter(Boolean).join(' ');
}

const describePendingJob = ({ id, status, progress }: Job): string =>
  `Job ${id} is ${status} (${progress}%). Call get_job with this ID for its result. Don't repeat this call, because that creates another job.`;

function describeEndedJob(job: Job, savedTo?: string): string {
  const { id, status, processed_size: size, original_size: from, format, error } = job;
  if (status === 'expired') return `The result of job ${id} has been deleted.`;
  if (error) return `Job ${id} is ${status}: ${error.message}`;
  if (!size) return `Job ${id} is ${status}.`;
  const place =
    savedTo === undefined ? `The link works for ${limits.downloadLinkMinutes} minutes.` : `Saved to ${savedTo}.`;
  return `Job ${id} is completed: from ${formatSize(from)} to ${formatSize(size)}, ${format}, ${formatBytes(size.file_size)}. ${place}`;
}

function describeCharge({ charged, left }: Charge, isCopy: boolean): string {
  const reason = isCopy ? ' because the result was stored' : '';
  const rest = left === undefined ? '' : ` ${formatCredits(left)} left.`;
  return `Charged ${formatCredits(charged)}${reason}.${rest}`;
}

function linkTo({ download_url: url, processed_size: size, format }: Job, savedTo?: string): ResourceLink | undefined {
  if (savedTo === undefined && url === null) return undefined;
  const uri = savedTo === undefined ? String(url) : pathToFileURL(savedTo).href;
  return {
    type: 'resource_link',
    uri,
    name: decodeURIComponent(basename(new URL(uri).pathname)),
    mimeType: mediaTypes[format],
    ...(size && { size: size.file_size }),
  };
}

/** Image formats that models accept. */
const visibleFormats: readonly string[] = ['png', 'jpeg', 'webp', 'gif'];

/**
 * Loads a job's result as an image for the model. Returns undefined if it is too large or in a format that models don't
 * accept.
 */
async function loadImage({ args, client, signal }: Call, job: Job): Promise<ImageContent | undefined> {
  const { status, format, processed_size: size } = job;
  if (args.include_image === false || status !== 'completed' || !size || !visibleFormats.includes(format))
    return undefined;
  if (size.file_size > limits.mcpImageBytes || Math.max(size.width, size.height) > limits.mcpImageSide)
    return undefined;
  try {
    const bytes = await client.jobs.download(job.id, { signal }).toBuffer();
    return { type: 'image', data: bytes.toString('base64'), mimeType: mediaTypes[format] };
  } catch (error) {
    // The image is optional, because the result already contains a link.
    if (error instanceof UprezError) return undefined;
    throw error;
  }
}

/**
 * Returns a tool result with a summary, other content, and data. The data is also sent as text, for clients that read
 * only text.
 */
export const presentData = (summary: string, data: object, content: ContentBlock[] = []): CallToolResult => ({
  content: [{ type: 'text', text: summary }, ...content, { type: 'text', text: JSON.stringify(data) }],
  structuredContent: { ...data },
});

export const formatCount = (count: number): string => count.toLocaleString('en-US');
export const formatCredits = (count: number): string => `${formatCount(count)} ${count === 1 ? 'credit' : 'credits'}`;
export const formatSize = ({ width, height }: { width: number; height: number }): string =>
  `${formatCount(width)} x ${formatCount(height)} px`;
export const formatSeconds = (seconds: number): string => `${Math.max(1, Math.round(seconds))} s`;

export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} bytes`;
  const [value, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${value.toFixed(value < 10 ? 1 : 0)} ${unit}`;
}
