import type { Client } from '@uprez/client/create-client';
import type { BrowserRouteName } from '@uprez/contracts/endpoints/routes';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';

export type Gateway = { baseUrl: string; client: Client<BrowserRouteName>; fetch: typeof fetch };
/** One that a round begins with, and one that continues it. They may be the same. */
type Gateways = readonly [Gateway, Gateway];

const recipes: Record<string, string>[] = [
  { engine: 'standard', scaleFactor: '2', format: 'jpeg' },
  { engine: 'standard', width: '120', format: 'webp' },
  { engine: 'standard', scaleFactor: '3', format: 'png' },
];

async function submit({ client }: Gateway, seed: number): Promise<string> {
  const body = imageForm(await makeImage({ width: 90, height: 60, seed }), recipes[seed % recipes.length]);
  return (await client.processImage({ body, headers: { prefer: 'respond-async' } })).data.id;
}

/** Processes and downloads an image. Throws Error if its job fails. */
export async function runOne([first, second]: Gateways, seed: number): Promise<void> {
  const id = await submit(first, seed);
  const job = await waitUntil(
    async () => {
      const { data } = await second.client.getJob({ params: { id } });
      return ['completed', 'failed'].includes(data.status) && data;
    },
    { timeoutMs: 120_000, everyMs: 100, what: `job ${id} to end` },
  );
  if (job.status !== 'completed') throw new Error(`job ${id} ${job.status}`);
  await (await second.fetch(`${second.baseUrl}${job.downloadUrl}`)).arrayBuffer();
}

/** Submits an image and deletes its job, whatever its status. */
export async function deleteOne([first, second]: Gateways, seed: number): Promise<void> {
  const id = await submit(first, seed);
  await second.client.deleteJob({ params: { id } });
}

/** Creates a batch, uploads its images, and waits until they are completed. */
export async function runBatch([first, second]: Gateways, seed: number): Promise<void> {
  const items = [0, 1].map((index) => ({ clientId: `c${index}`, name: `${index}.png` }));
  const recipe = { engine: 'standard', scaleFactor: 2 };
  const { data: batch } = await first.client.createBatch({ body: { recipe, items } });
  for (const [index, item] of batch.items.entries()) {
    const body = new Uint8Array(await makeImage({ width: 60, height: 40, seed: seed * 10 + index }));
    const init = { method: 'PUT', body, headers: { 'content-type': 'image/png', origin: second.baseUrl } };
    await second.fetch(`${second.baseUrl}/api/batches/${batch.id}/items/${item.id}`, init);
  }
  await waitUntil(
    async () => {
      const { data } = await first.client.getBatch({ params: { id: batch.id } });
      return data.items.every(({ status }) => status === 'completed');
    },
    { timeoutMs: 120_000, everyMs: 200, what: `batch ${batch.id} to end` },
  );
}
