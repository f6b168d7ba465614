import createClient from 'openapi-fetch';
import { type Input, type Seen, unknownId } from './calls.mjs';
import type { paths } from './generated/schema.js';

/** Calls the API with `openapi-fetch` and the types of `openapi-typescript`. */
export async function run({ url, key, base64 }: Input): Promise<Seen> {
  const client = createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${key}` } });
  const made = await client.POST('/v1/process', { body: { image: base64, scale_factor: 2, engine: 'standard' } });
  // Other `Accept` headers have other responses.
  if (typeof made.data !== 'object' || !('id' in made.data)) throw new Error('The response has no job.');
  const { data: job } = await client.GET('/v1/jobs/{id}', { params: { path: { id: made.data.id } } });
  const { data: plan } = await client.GET('/v1/account');
  const { error } = await client.GET('/v1/jobs/{id}', { params: { path: { id: unknownId } } });
  if (!job || !plan) throw new Error('The response has no body.');
  return {
    id: job.id,
    status: job.status,
    width: job.processed_size?.width,
    creditsUsed: plan.quota[0]?.used,
    errorCode: error?.code,
  };
}
