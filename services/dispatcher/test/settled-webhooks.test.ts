import { randomUUID } from 'node:crypto';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { openVault } from '@uprez/domain/vault';
import { createWebhook } from '@uprez/domain/webhooks/change-webhook';
import { openLogger } from '@uprez/runtime/open-logger';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeImage } from '@uprez/testing/make-image';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { imageForm, signUp } from '@uprez/testing/sign-up';
import { waitUntil } from '@uprez/testing/wait-until';
import { expect, it } from 'vitest';
import { readConfig } from '../src/config.ts';
import { openDeps } from '../src/deps.ts';
import { startDispatcher } from '../src/start-dispatcher.ts';
import { openReceiver } from './support/open-receiver.ts';

const jobs = 4;
/** The first attempt of the first event fails. */
const refused = new Set<string>();
const receiver = fileFixture(() =>
  openReceiver({
    hook: (response, { headers }) => {
      const isFirst = refused.size === 0;
      if (isFirst) refused.add(headers['webhook-id'] ?? '');
      response.writeHead(isFirst ? 500 : 204).end();
    },
  }),
);
const product = fileFixture(() => startIsolatedProduct({ services: ['gateway', 'worker'] }));

/** Starts a dispatcher in this process, because it must treat the receiver as public. */
const openDispatcher = () => {
  const config = readConfig({ ...product.env, METRICS_PORT: '0', LOG_LEVEL: 'silent' });
  const logger = openLogger({ service: 'dispatcher', level: config.LOG_LEVEL });
  return startDispatcher(config, logger, { ...openDeps(config, logger), network: receiver.network });
};

const idsOfCalls = () => receiver.callsOf('hook').map(({ headers }) => headers['webhook-id'] ?? '');

it('a product settles when each ended job was delivered to its endpoint, under one ID', async () => {
  const { db, env } = product;
  const { client, user } = await signUp(product.url);
  await db.updateTable('users').set({ tier: 'enterprise', emailVerified: true }).where('id', '=', user.id).execute();
  const sender = { db, vault: openVault(env.VAULT_SECRET ?? ''), network: receiver.network };
  const actor = { accountId: user.id, plan: currentPlans.enterprise };
  const url = 'https://hook.images.example/';
  await createWebhook(sender, { actor, url, description: '', events: ['job.completed'], sandbox: false });
  for (let seed = 1; seed <= jobs; seed += 1) {
    const body = imageForm(await makeImage({ width: 40, height: 30, seed }), { engine: 'standard', scaleFactor: '2' });
    await client.processImage({ body, headers: { prefer: 'wait=60' } });
  }
  await expect(product.settle(1_000)).rejects.toThrow(/0 of 0 deliveries of job\.completed .* ended, 1 expected/);

  const first = await openDispatcher();
  await waitUntil(() => refused.size > 0, { what: 'an attempt' });
  await first.close();
  const second = await openDispatcher();
  expect((await product.settle(60_000)).jobs).toBe(jobs);
  expect(new Set(idsOfCalls()).size).toBe(jobs);
  expect(idsOfCalls().length).toBeGreaterThan(jobs);
  const rows = await db.selectFrom('webhookDeliveries').select('status').execute();
  expect(rows).toEqual(Array(jobs).fill({ status: 'delivered' }));
  await second.close();

  const [event] = await db.selectFrom('events').selectAll().where('type', '=', 'job.completed').execute();
  const [delivery] = await db.selectFrom('webhookDeliveries').selectAll().execute();
  if (!event || !delivery) throw new Error('no delivery');
  const again = { ...event, id: randomUUID(), position: null, data: JSON.stringify(event.data) };
  await db.insertInto('events').values(again).execute();
  await db
    .insertInto('webhookDeliveries')
    .values({ ...delivery, id: randomUUID(), eventId: again.id })
    .execute();
  await expect(product.settle(1_000)).rejects.toThrow(/2 of 2 deliveries of job\.completed .* ended, 1 expected/);
});
