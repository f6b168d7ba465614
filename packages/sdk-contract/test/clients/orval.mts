import { type Input, type Seen, unknownId } from './calls.mjs';
import { account, getJob, processWithFormData } from './generated/orval.js';

/** Calls the API with the client of `orval`. */
export async function run({ key, image }: Input): Promise<Seen> {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const made = await processWithFormData({ image, scale_factor: 2, engine: 'standard' }, undefined, options);
  // Orval reads responses of several content types as a `Blob`.
  if (made.status !== 200 || !(made.data instanceof Blob)) throw new Error('The response has no job.');
  const { id } = JSON.parse(await made.data.text());
  const job = await getJob(id, options);
  const plan = await account(options);
  const missing = await getJob(unknownId, options);
  if (job.status !== 200 || plan.status !== 200) throw new Error('The response has another status.');
  return {
    id: job.data.id,
    status: job.data.status,
    width: job.data.processed_size?.width,
    creditsUsed: plan.data.quota[0]?.used,
    errorCode: missing.status === 404 ? missing.data.code : undefined,
  };
}
