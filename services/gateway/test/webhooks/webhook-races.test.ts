import { insertDeliveries } from '@uprez/db/queries/webhooks/webhook-deliveries';
import { lockEndpoints } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { makeDelivery } from '@uprez/domain/webhooks/fan-out';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTlsSite } from '@uprez/testing/open-tls-site';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';
import { json, openV1Caller } from '../support/v1-calls.ts';

const site = fileFixture(() => openTlsSite((_request, response) => response.end()));
const gateway = fileFixture(() => startTestGateway({}, site.network));

/** Whether some connection waits for a lock of another. */
async function isWaiting(): Promise<boolean> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    gateway.ctx.db,
  );
  return rows.length > 0;
}

it('an endpoint is not deleted while an event is sent on its way to it', async () => {
  const caller = await openV1Caller(gateway, { tier: 'enterprise', scopes: ['webhooks', 'read'] });
  const made = await caller.call('POST', '/v1/webhooks', json({ url: 'https://images.example/hook' }));
  const { id } = (await made.json()) as { id: string };
  const accountId = caller.owner.user.id;
  await caller.call('POST', `/v1/webhooks/${id}/test`);
  const { db } = gateway.ctx;
  const event = await db.selectFrom('events').select('id').where('accountId', '=', accountId).executeTakeFirstOrThrow();
  await db.deleteFrom('webhookDeliveries').execute();
  const { deleting } = await db.transaction().execute(async (tx) => {
    const [endpoint] = await lockEndpoints(tx, accountId);
    if (!endpoint) throw new Error('there is no endpoint');
    const started = caller.call('DELETE', `/v1/webhooks/${id}`);
    await waitUntil(isWaiting);
    await insertDeliveries(tx, [makeDelivery(endpoint, event)]);
    return { deleting: started };
  });
  expect((await deleting).status).toBe(204);
  expect(await db.selectFrom('webhookDeliveries').selectAll().execute()).toEqual([]);
});
