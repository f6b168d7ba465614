import { limits } from '@uprez/contracts/policy/limits';
import { insertEvent } from '@uprez/db/queries/webhooks/events';
import {
  claimDelivery,
  insertDeliveries,
  restartDelivery,
  settleDelivery,
} from '@uprez/db/queries/webhooks/webhook-deliveries';
import { findEndpoint, insertEndpoint } from '@uprez/db/queries/webhooks/webhook-endpoints';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { getDelivery } from '../src/webhooks/deliveries.ts';
import { makeDelivery } from '../src/webhooks/fan-out.ts';
import { makeWebhookSecret, webhookSecretPurpose } from '../src/webhooks/get-webhook.ts';

let ctx: TestContext;
beforeAll(async () => {
  ctx = await openTestContext();
});
afterAll(() => ctx.close());

it('keeps the last attempts of a delivery that is sent again any number of times', async () => {
  const actor = await makeUser(ctx.db, 'api_pro');
  const { accountId } = actor;
  const [id, eventId] = [crypto.randomUUID(), crypto.randomUUID()];
  const secret = ctx.vault.seal(makeWebhookSecret(), webhookSecretPurpose);
  const url = 'https://hooks.example/in';
  await insertEndpoint(ctx.db, { id, accountId, kind: 'endpoint', url, isSandbox: false, secret });
  await insertEvent(ctx.db, { id: eventId, accountId, type: 'webhook.test', isSandbox: false, data: {} }, () => true);
  const endpoint = await findEndpoint(ctx.db, { accountId, id });
  if (!endpoint) throw new Error('no endpoint');
  const delivery = makeDelivery(endpoint, { id: eventId });
  await insertDeliveries(ctx.db, [delivery]);
  const sent = limits.loggedAttempts + 5;
  for (let attempt = 0; attempt < sent; attempt += 1) {
    const claimed = await claimDelivery(ctx.db, delivery.destination, 60);
    if (!claimed) throw new Error('nothing is due');
    const outcome = { answered: 200, error: null, answer: 'x'.repeat(limits.webhookAnswerBytes) };
    await settleDelivery(ctx.db, claimed, { ...outcome, at: new Date(), durationMs: 1 });
    await restartDelivery(ctx.db, delivery.id);
  }
  const found = await getDelivery(ctx, { actor, id, deliveryId: delivery.id });
  expect(found.delivery.attempts).toBe(sent);
  expect(found.attempts.map(({ number }) => number)).toEqual(
    Array.from({ length: limits.loggedAttempts }, (_, at) => 6 + at),
  );
  const answered = found.attempts.filter(({ answer }) => answer !== null);
  expect(answered.map(({ number }) => number)).toEqual([sent - 1, sent]);
  expect(await ctx.db.selectFrom('webhookAttempts').select('number').execute()).toHaveLength(limits.loggedAttempts);
});
