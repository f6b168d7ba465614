import { type Input, type Seen, unknownId } from './calls.mjs';
import { client } from './generated/hey-api/client.gen.js';
import { account, getJob, process_ } from './generated/hey-api/sdk.gen.js';

/** Calls the API with the client of `@hey-api/openapi-ts`. */
export async function run({ url, key, base64 }: Input): Promise<Seen> {
  client.setConfig({ baseUrl: url, auth: key });
  const made = await process_({ body: { image: base64, scale_factor: 2, engine: 'standard' }, throwOnError: true });
  if (!('id' in made.data)) throw new Error('The response has no job.');
  const { data: job } = await getJob({ path: { id: made.data.id }, throwOnError: true });
  const { data: plan } = await account({ throwOnError: true });
  const { error } = await getJob({ path: { id: unknownId } });
  return {
    id: job.id,
    status: job.status,
    width: job.processed_size?.width,
    creditsUsed: plan.quota[0]?.used,
    errorCode: error?.code,
  };
}
