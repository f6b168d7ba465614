import type { ImageContent } from '@modelcontextprotocol/sdk/types.js';
import { type Job, UprezError } from '@uprez/sdk-node';
import { limits, mediaTypes } from '../generated/facts.ts';
import type { Call } from '../host.ts';

/** Formats that models can see. */
const visible: readonly string[] = ['png', 'jpeg', 'webp', 'gif'];

/** Loads the result of a job as an image for the model, if it is small enough and in a format that models can see. */
export async function loadImage({ args, client, signal }: Call, job: Job): Promise<ImageContent | undefined> {
  const { status, format, processed_size: size } = job;
  if (args.include_image === false || status !== 'completed' || !size || !visible.includes(format)) return undefined;
  if (size.file_size > limits.mcpImageBytes || Math.max(size.width, size.height) > limits.mcpImageSide)
    return undefined;
  try {
    const bytes = await client.jobs.download(job.id, { signal }).toBuffer();
    return { type: 'image', data: bytes.toString('base64'), mimeType: mediaTypes[format] };
  } catch (error) {
    // The job is completed and has a link.
    if (error instanceof UprezError) return undefined;
    throw error;
  }
}
