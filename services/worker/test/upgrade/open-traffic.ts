import { createClient } from '@uprez/client/create-client';
import { browserRoutes } from '@uprez/contracts/endpoints/routes';
import { makeImage } from '@uprez/testing/make-image';
import { imageForm, type SignedIn } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';

type Fields = Record<string, string>;
const recipes: Fields[] = [
  { engine: 'standard', scaleFactor: '2', format: 'jpeg' },
  { engine: 'standard', width: '120', format: 'webp' },
  { engine: 'standard', scaleFactor: '3', format: 'png' },
];

/** Requests that a user sends continuously to the gateways in `urls`, which may change meanwhile. */
export type Traffic = ReturnType<typeof openTraffic>;

/** Starts loops that submit images to one gateway, and follow, download, or delete the jobs on another. */
export function openTraffic(user: SignedIn, firstUrl: string) {
  const state = { urls: [firstUrl], isOver: false, errors: [] as string[], completed: 0, deleted: 0, batches: 0 };
  let rounds = 0;
  const checkedFetch: typeof fetch = async (input, init) => {
    const answer = await user.fetch(input, init);
    if (!answer.ok) state.errors.push(`${init?.method ?? 'GET'} ${input}: ${answer.status}`);
    return answer;
  };
  const clientOf = (round: number) => {
    const baseUrl = state.urls[round % state.urls.length] ?? firstUrl;
    return { baseUrl, client: createClient(browserRoutes, { baseUrl, fetch: checkedFetch }) };
  };
  const loop = async () => {
    while (!state.isOver) {
      rounds += 1;
      const gateways = [clientOf(rounds), clientOf(rounds + 1)] as const;
      const run = rounds % 5 === 0 ? deleteOne : rounds % 7 === 0 ? runBatch : runOne;
      await run(gateways, rounds).catch((error) => state.errors.push(String(error)));
    }
  };
  type Gateways = readonly [ReturnType<typeof clientOf>, ReturnType<typeof clientOf>];
  const submit = async ([{ client }]: Gateways, seed: number) => {
    const fields = recipes[seed % recipes.length] ?? {};
    const body = imageForm(await makeImage({ width: 90, height: 60, seed }), fields);
    return (await client.processImage({ body, headers: { prefer: 'respond-async' } })).data.id;
  };
  const runOne = async (gateways: Gateways, seed: number) => {
    const id = await submit(gateways, seed);
    const { baseUrl, client } = gateways[1];
    const read = async () => (await client.getJob({ params: { id } })).data;
    const job = await waitUntil(
      async () => {
        const found = await read();
        return ['completed', 'failed'].includes(found.status) && found;
      },
      { timeoutMs: 120_000, everyMs: 100, what: `job ${id} to end` },
    );
    if (job.status !== 'completed') throw new Error(`job ${id} ${job.status}`);
    await (await checkedFetch(`${baseUrl}${job.downloadUrl}`)).arrayBuffer();
    state.completed += 1;
  };
  const deleteOne = async (gateways: Gateways, seed: number) => {
    const id = await submit(gateways, seed);
    await gateways[1].client.deleteJob({ params: { id } });
    state.deleted += 1;
  };
  const runBatch = async ([first, second]: Gateways, seed: number) => {
    const items = [0, 1].map((index) => ({ clientId: `c${index}`, name: `${index}.png` }));
    const recipe = { engine: 'standard', scaleFactor: 2 };
    const { data: batch } = await first.client.createBatch({ body: { recipe, items } });
    for (const [index, item] of batch.items.entries()) {
      const body = new Uint8Array(await makeImage({ width: 60, height: 40, seed: seed * 10 + index }));
      const init = { method: 'PUT', body, headers: { 'content-type': 'image/png', origin: second.baseUrl } };
      await checkedFetch(`${second.baseUrl}/api/batches/${batch.id}/items/${item.id}`, init);
    }
    await waitUntil(
      async () => {
        const { data } = await first.client.getBatch({ params: { id: batch.id } });
        return data.items.every(({ status }) => status === 'completed');
      },
      { timeoutMs: 120_000, everyMs: 200, what: `batch ${batch.id} to end` },
    );
    state.batches += 1;
  };
  const loops = [loop(), loop(), loop()];
  return {
    state,
    /** Ends the loops after their current round. */
    stop: async () => {
      state.isOver = true;
      await Promise.all(loops);
    },
  };
}
