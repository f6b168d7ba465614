import type { Estimate, EstimateInput, Uprez } from '@uprez/sdk-node';
import pLimit from 'p-limit';
import { CliError } from '../cli-error.ts';
import type { Found } from '../files/find-images.ts';
import { readImage } from '../files/read-image.ts';
import { findStop } from './stop-error.ts';

/** `output`: the result that there is already. `reason`: why nothing would be made of it. */
export type Row = {
  path: string;
  size?: { width: number; height: number };
  estimate?: Estimate;
  output?: string;
  reason?: string;
};
type Estimating = { client: Uprez; fields: Record<string, string>; concurrency: number; signal: AbortSignal };

/** What would be made of images, and what it would cost: the service is asked once for all that are alike. */
export async function estimateAll(found: readonly Found[], estimating: Estimating): Promise<Row[]> {
  const known = new Map<string, Promise<Estimate>>();
  const ask = (facts: EstimateInput) => {
    const name = JSON.stringify({ ...facts, bytes: 0 });
    const answer = known.get(name) ?? estimating.client.estimate(facts, { signal: estimating.signal });
    known.set(name, answer);
    return answer;
  };
  const { fields, concurrency } = estimating;
  const limit = pLimit(concurrency);
  try {
    return await limit.map(found, (image) => estimateOne(image, { fields, ask }));
  } finally {
    limit.clearQueue();
  }
}

type Asking = { fields: Record<string, string>; ask: (facts: EstimateInput) => Promise<Estimate> };

async function estimateOne({ path, sizeBytes }: Found, { fields, ask }: Asking): Promise<Row> {
  const facts = await readImage(path).catch(() => undefined);
  if (!facts) return { path, reason: 'The image cannot be read.' };
  const { format, ...size } = facts;
  const { width, height, fit, ...rest } = fields;
  const target = Object.fromEntries(Object.entries({ width, height, fit }).filter(([, value]) => value !== undefined));
  const about = { ...size, bytes: sizeBytes, ...(format && { source_format: format }) };
  const hasTarget = Object.keys(target).length > 0;
  try {
    const estimate = await ask({ ...about, ...rest, ...(hasTarget && { target }) } as EstimateInput);
    return { path, size, estimate, ...(estimate.limit && { reason: estimate.limit.detail }) };
  } catch (error) {
    throw findStop(error) ?? new CliError(error instanceof Error ? error.message : String(error));
  }
}
