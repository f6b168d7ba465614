import { markAccount } from '@uprez/db/queries/billing/plan-facts';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import { finishers } from '@uprez/domain/billing/finishers';
import { runLadder } from '@uprez/domain/billing/ladder/run-ladder';
import { mirrorNext } from '@uprez/domain/billing/mirror/mirror-customer';
import { checkPaidUnits } from '@uprez/domain/usage/check-paid-units';
import { getInvoice, payInvoice } from '@uprez/payments/invoices';
import { listEvents } from '@uprez/payments/webhook-events';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, beforeEach, expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
beforeEach(() => world.control('retries', { delaysDays: [] }));
afterEach(async () => {
  expect(await listAllowanceErrors(world.db)).toEqual([]);
  expect(await checkPaidUnits(world)).toEqual([]);
});

const dayS = 86_400;
const declined = 'pm_card_chargeCustomerFail';

async function mirror({ accountId }: Subscriber) {
  await markAccount(world.db, accountId);
  while (await mirrorNext(world));
}
/** Lets days pass, reads the customer, and goes on with the ladder as often as dispatchers may. */
async function pass(subscriber: Subscriber, days: number) {
  await world.advance(subscriber, { seconds: days * dayS });
  await mirror(subscriber);
  await Promise.all([runLadder(world), runLadder(world)]);
  await runLadder(world);
  await mirror(subscriber);
}
async function setCard({ customerId, subscriptionId }: Subscriber, card: string) {
  const { id } = await world.post(`payment_methods/${card}/attach`, { customer: customerId });
  await world.post(`subscriptions/${subscriptionId}`, { default_payment_method: id });
}
/** Creates a subscriber whose renewal is declined, or asks for 3-D Secure. */
async function failRenewal(card = declined) {
  const subscriber = await world.subscribe();
  await world.pay(subscriber);
  await mirror(subscriber);
  await setCard(subscriber, card);
  await world.advance(subscriber, { until: 'period_end' });
  await world.advance(subscriber, { seconds: 3_700 });
  await mirror(subscriber);
  const { pastDueInvoiceId } = await findSubscription(subscriber);
  return { subscriber, invoiceId: pastDueInvoiceId ?? '' };
}

const findSubscription = ({ subscriptionId }: Subscriber) =>
  world.db.selectFrom('subscriptions').selectAll().where('id', '=', subscriptionId).executeTakeFirstOrThrow();
const findUser = ({ accountId }: Subscriber) =>
  world.db.selectFrom('users').select(['tier', 'planShare']).where('id', '=', accountId).executeTakeFirst();
/** The emails of an account in the order in which they were queued. */
async function listMails({ accountId }: Subscriber) {
  const rows = await world.db
    .selectFrom('outbox')
    .select(['payload', 'lastError'])
    .where('userId', '=', accountId)
    .orderBy('id')
    .execute();
  expect(rows.every(({ lastError }) => lastError === null)).toBe(true);
  return rows.map(({ payload }) => payload);
}
const listMailNames = async (subscriber: Subscriber) => (await listMails(subscriber)).map(({ mail }) => mail);
/** How often an invoice was declined, by the events of Stripe. */
async function countDeclines(invoiceId: string) {
  const { items } = await listEvents(world.payments, { since: new Date(0) });
  return items.filter(({ type, objectId }) => type === 'invoice.payment_failed' && objectId === invoiceId).length;
}

it('sends an email and collects the bill on days 0, 1, 3, and 5, and ends the plan on day 7', async () => {
  const { subscriber, invoiceId } = await failRenewal();
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'past_due', ladderStep: null });
  const steps: [days: number, declines: number, mails: number][] = [
    [0, 1, 1],
    [1, 2, 2],
    [1, 2, 2],
    [1, 3, 3],
    [1, 3, 3],
    [1, 4, 4],
    [0.9, 4, 4],
  ];
  for (const [days, declines, mails] of steps) {
    await (days > 0 ? pass(subscriber, days) : pass(subscriber, 1 / dayS));
    expect([await countDeclines(invoiceId), (await listMails(subscriber)).length - 1]).toEqual([declines, mails]);
    expect(await findUser(subscriber)).toEqual({ tier: 'pro', planShare: 25 });
  }
  const [, first, ...others] = await listMails(subscriber);
  const due = (await findSubscription(subscriber)).pastDueAt ?? new Date(0);
  expect(first).toMatchObject({ mail: 'payment_failed', tier: 'pro', amount: 700, currency: 'usd' });
  expect(others.at(-1)).toMatchObject({ mail: 'payment_failed', retryAt: null });
  // Times have moved since the email was queued.
  expect(others.at(-1)?.endsAt).toBe(new Date(Number(due) + 7.9 * dayS * 1_000).toISOString());

  await pass(subscriber, 0.2);
  await pass(subscriber, 1);
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'canceled', pastDueAt: null, ladderStep: null });
  expect((await getInvoice(world.payments, invoiceId)).invoice.status).toBe('void');
  expect(await findUser(subscriber)).toEqual({ tier: 'free', planShare: 100 });
  expect(await listMailNames(subscriber)).toEqual([
    'plan_subscribed',
    ...Array.from({ length: 4 }, () => 'payment_failed'),
    'plan_ended',
  ]);
  expect((await listMails(subscriber)).at(-1)).toMatchObject({ reason: 'unpaid' });
  const calls = world.db.selectFrom('billingCalls').select(['idempotencyKey', 'state']).orderBy('createdAt');
  expect(await calls.where('accountId', '=', subscriber.accountId).execute()).toEqual([
    ...[1, 3, 5].map((day) => ({ idempotencyKey: `retry:${invoiceId}:${day}`, state: 'done' })),
    { idempotencyKey: `end:${invoiceId}`, state: 'done' },
  ]);
});

it('keeps the plan, gives all units, and sends one email when an attempt succeeds', async () => {
  const { subscriber, invoiceId } = await failRenewal();
  await pass(subscriber, 1);
  await setCard(subscriber, 'pm_card_visa');
  await pass(subscriber, 2);
  await pass(subscriber, 5);
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'active', pastDueAt: null, ladderStep: null });
  expect(await findUser(subscriber)).toEqual({ tier: 'pro', planShare: 100 });
  expect(await countDeclines(invoiceId)).toBe(2);
  expect(await listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'payment_recovered']);
});

it('skips days that passed while no dispatcher ran', async () => {
  const { subscriber, invoiceId } = await failRenewal();
  await pass(subscriber, 4);
  expect(await findSubscription(subscriber)).toMatchObject({ ladderStep: 3 });
  expect(await countDeclines(invoiceId)).toBe(2);
  await pass(subscriber, 4);
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'canceled' });
  expect(await listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'plan_ended']);
});

it('keeps a plan that was paid in the last moment', async () => {
  const { subscriber, invoiceId } = await failRenewal();
  await world.advance(subscriber, { seconds: 8 * dayS });
  await mirror(subscriber);
  await setCard(subscriber, 'pm_card_visa');
  await payInvoice(world.payments, { invoiceId, idempotencyKey: `test:${invoiceId}` });
  await runLadder(world);
  await mirror(subscriber);
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'active', pastDueAt: null });
  expect(await findUser(subscriber)).toEqual({ tier: 'pro', planShare: 100 });
});

it('voids the bill of a subscription that was canceled while it was unpaid', async () => {
  const { subscriber, invoiceId } = await failRenewal();
  await pass(subscriber, 1 / dayS);
  const path = `${world.stripe.double.url}/v1/subscriptions/${subscriber.subscriptionId}`;
  const headers = { authorization: `Bearer ${world.stripe.env.STRIPE_SECRET_KEY}` };
  expect((await fetch(path, { method: 'DELETE', headers })).status).toBe(200);
  await pass(subscriber, 1 / dayS);
  expect((await getInvoice(world.payments, invoiceId)).invoice.status).toBe('void');
  expect(await listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'plan_ended']);
});

it('asks to confirm a payment that needs 3-D Secure', async () => {
  const { subscriber } = await failRenewal('pm_card_authenticationRequired');
  await pass(subscriber, 1 / dayS);
  expect(await listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_action_needed']);
});

it('leaves attempts to Stripe while Stripe plans some', async () => {
  await world.control('retries', { delaysDays: [2, 3] });
  const { subscriber, invoiceId } = await failRenewal();
  await pass(subscriber, 1);
  expect(await countDeclines(invoiceId)).toBe(1);
  const mails = await listMails(subscriber);
  expect(mails).toHaveLength(2);
  const { nextAttemptAt } = await world.db
    .selectFrom('invoices')
    .select('nextAttemptAt')
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  expect(mails.at(-1)).toMatchObject({ mail: 'payment_failed', retryAt: nextAttemptAt?.toISOString() });
});

it.each(['before', 'after'] as const)('collects once when Stripe fails %s the payment', async (when) => {
  const { subscriber, invoiceId } = await failRenewal();
  await pass(subscriber, 1 / dayS);
  await setCard(subscriber, 'pm_card_visa');
  await world.control('failures', {
    when,
    kind: 'error',
    times: 1,
    method: 'POST',
    path: `/v1/invoices/${invoiceId}/pay`,
  });
  await pass(subscriber, 1);
  await world.db
    .updateTable('billingCalls')
    .set({ notBefore: new Date(0) })
    .where('state', '=', 'open')
    .execute();
  while (await finishNextCall(world, finishers));
  await mirror(subscriber);
  expect(await findSubscription(subscriber)).toMatchObject({ status: 'active', pastDueAt: null });
  expect(await listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'payment_recovered']);
  const payments = world.db.selectFrom('payments').select('received').where('invoiceId', '=', invoiceId);
  expect(await payments.execute()).toEqual([{ received: 700 }]);
});
