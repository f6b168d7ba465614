import type { ServerResponse } from 'node:http';
import { limits } from '@uprez/contracts/policy/limits';
import type { V1Batch } from '@uprez/contracts/v1/schemas';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { openTlsSite } from '@uprez/testing/network/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, expect, it } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller, type V1Caller } from '../support/v1-calls.ts';

/** Responses that have not begun, of servers that accept a request and say nothing. */
const silent: ServerResponse[] = [];
const image = await makeImage({ width: 40, height: 30 });
const site = fileFixture(() =>
  openTlsSite((request, response) => {
    if (request.url === '/silent') silent.push(response);
    else response.end(image);
  }),
);
const gateway = fileFixture(() => startTestGateway({}, site.network));
afterEach(async () => {
  await gateway.ctx.db.deleteFrom('batches').execute();
  for (const response of silent.splice(0)) response.destroy();
});

async function announce(by: V1Caller, path: string, count: number): Promise<string> {
  const items = Array.from({ length: count }, (_, index) => ({
    ...{ client_id: `c${index}`, image_url: `https://images.example${path}` },
  }));
  const answer = await by.call('POST', '/v1/batches', json({ recipe: { engine: 'standard' }, items }));
  expect(answer.status).toBe(201);
  return ((await answer.json()) as V1Batch).id;
}

const isFetched = async (by: V1Caller, id: string) =>
  ((await (await by.call('GET', `/v1/batches/${id}`)).json()) as V1Batch).counts.waiting === 0;

it('fetches images of paid plans while silent servers of the sandbox hold their share of the slots', async () => {
  for (let account = 0; account < limits.itemFetchSlots / limits.accountFetchSlots; account += 1)
    await announce(await openV1Caller(gateway, { kind: 'test' }), '/silent', limits.accountFetchSlots);
  await waitUntil(() => silent.length >= limits.freeFetchSlots, { what: 'requests to silent servers' });
  const paid = await openV1Caller(gateway);
  const id = await announce(paid, '/image.png', 3);
  await waitUntil(() => isFetched(paid, id), { what: 'the images of the paid plan' });
  expect(silent).toHaveLength(limits.freeFetchSlots);
});

it('gives the next free slot to the account with the fewest fetches, not to the one that waits longest', async () => {
  for (let account = 0; account < limits.itemFetchSlots / limits.accountFetchSlots; account += 1)
    await announce(await openV1Caller(gateway), '/silent', 10);
  await waitUntil(() => silent.length >= limits.itemFetchSlots, { what: 'requests to silent servers' });
  const other = await openV1Caller(gateway);
  const id = await announce(other, '/image.png', 1);
  silent.shift()?.destroy();
  await waitUntil(() => isFetched(other, id), { what: 'the image of the other account' });
});
