import type { Estimate, EstimateInput, Uprez } from '@uprez/sdk-node';
import pLimit from 'p-limit';
import { CliError, toFatalError } from '../cli-error.ts';
import { type FoundImage, readImageSize } from '../files/find-images.ts';

/** `output`: the existing result. `reason`: why the image would be rejected. */
export type EstimateRow = {
  path: string;
  size?: { width: number; height: number };
  estimate?: Estimate;
  output?: string;
  reason?: string;
};
type EstimateOptions = { client: Uprez; fields: Record<string, string>; concurrency: number; signal: AbortSignal };

/** Estimates the results of images, with one request for all images of the same size and format. */
export async function estimateAll(found: readonly FoundImage[], options: EstimateOptions): Promise<EstimateRow[]> {
  const { client, concurrency, signal } = options;
  const { width, height, fit, ...fields } = options.fields;
  const target = Object.fromEntries(Object.entries({ width, height, fit }).filter(([, value]) => value !== undefined));
  const hasTarget = Object.keys(target).length > 0;
  const known = new Map<string, Promise<Estimate>>();
  const requestEstimate = (facts: EstimateInput) => {
    const name = JSON.stringify({ ...facts, bytes: 0 });
    const request = known.get(name) ?? client.estimate(facts, { signal });
    known.set(name, request);
    return request;
  };
  const estimateOne = async ({ path, sizeBytes }: FoundImage): Promise<EstimateRow> => {
    const facts = await readImageSize(path).catch(() => undefined);
    if (!facts) return { path, reason: "The image can't be read." };
    const { format, ...size } = facts;
    const about = { ...size, bytes: sizeBytes, ...(format && { source_format: format }) };
    try {
      const estimate = await requestEstimate({ ...about, ...fields, ...(hasTarget && { target }) } as EstimateInput);
      return { path, size, estimate, ...(estimate.limit && { reason: estimate.limit.detail }) };
    } catch (error) {
      throw toFatalError(error) ?? new CliError(error instanceof Error ? error.message : String(error));
    }
  };
  const limit = pLimit(concurrency);
  try {
    return await limit.map(found, estimateOne);
  } finally {
    limit.clearQueue();
  }
}
