import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import { runDunning } from '@uprez/domain/billing/dunning/run-dunning';
import { finishers } from '@uprez/domain/billing/finishers';
import { checkPaidUnits } from '@uprez/domain/usage/check-ledger';
import { getInvoice, payInvoice } from '@uprez/payments/invoices';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { dayS, openDunningWorld } from './open-dunning-world.ts';

const world = fileFixture(openDunningWorld);
// All attempts after the first one are those of dunning.
beforeAll(() => world.control('retries', { delaysDays: [] }));
afterEach(async () => {
  expect(await listAllowanceErrors(world.db)).toEqual([]);
  expect(await checkPaidUnits(world)).toEqual([]);
});

it('sends an email and collects the bill on days 0, 1, 3, and 5, and ends the plan on day 7', async () => {
  const { subscriber, invoiceId } = await world.failRenewal();
  expect(await world.findSubscription(subscriber)).toMatchObject({ status: 'past_due', ladderStep: null });
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
    await (days > 0 ? world.pass(subscriber, days) : world.pass(subscriber, 1 / dayS));
    expect([await world.countDeclines(invoiceId), (await world.listMails(subscriber)).length - 1]).toEqual([
      declines,
      mails,
    ]);
    expect(await world.findUser(subscriber)).toEqual({ tier: 'pro', planShare: 25 });
  }
  const [, first, ...others] = await world.listMails(subscriber);
  const due = (await world.findSubscription(subscriber)).pastDueAt ?? new Date(0);
  expect(first).toMatchObject({ mail: 'payment_failed', tier: 'pro', amount: 700, currency: 'usd' });
  expect(others.at(-1)).toMatchObject({ mail: 'payment_failed', retryAt: null });
  // Times have moved since the email was queued.
  expect(others.at(-1)?.endsAt).toBe(new Date(Number(due) + 7.9 * dayS * 1_000).toISOString());

  await world.pass(subscriber, 0.2);
  await world.pass(subscriber, 1);
  expect(await world.findSubscription(subscriber)).toMatchObject({
    status: 'canceled',
    pastDueAt: null,
    ladderStep: null,
  });
  expect((await getInvoice(world.payments, invoiceId)).invoice.status).toBe('void');
  expect(await world.findUser(subscriber)).toEqual({ tier: 'free', planShare: 100 });
  expect(await world.listMailNames(subscriber)).toEqual([
    'plan_subscribed',
    ...Array.from({ length: 4 }, () => 'payment_failed'),
    'plan_ended',
  ]);
  expect((await world.listMails(subscriber)).at(-1)).toMatchObject({ reason: 'unpaid' });
  const calls = world.db.selectFrom('billingCalls').select(['idempotencyKey', 'state']).orderBy('createdAt');
  expect(await calls.where('accountId', '=', subscriber.accountId).execute()).toEqual([
    ...[1, 3, 5].map((day) => ({ idempotencyKey: `retry:${invoiceId}:${day}`, state: 'done' })),
    { idempotencyKey: `end:${invoiceId}`, state: 'done' },
  ]);
});

it('keeps the plan, gives all units, and sends one email when an attempt succeeds', async () => {
  const { subscriber, invoiceId } = await world.failRenewal();
  await world.pass(subscriber, 1);
  await world.setCard(subscriber, 'pm_card_visa');
  await world.pass(subscriber, 2);
  await world.pass(subscriber, 5);
  expect(await world.findSubscription(subscriber)).toMatchObject({
    status: 'active',
    pastDueAt: null,
    ladderStep: null,
  });
  expect(await world.findUser(subscriber)).toEqual({ tier: 'pro', planShare: 100 });
  expect(await world.countDeclines(invoiceId)).toBe(2);
  expect(await world.listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'payment_recovered']);
});

it('skips days that passed while no dispatcher ran', async () => {
  const { subscriber, invoiceId } = await world.failRenewal();
  await world.pass(subscriber, 4);
  expect(await world.findSubscription(subscriber)).toMatchObject({ ladderStep: 3 });
  expect(await world.countDeclines(invoiceId)).toBe(2);
  await world.pass(subscriber, 4);
  expect(await world.findSubscription(subscriber)).toMatchObject({ status: 'canceled' });
  expect(await world.listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'plan_ended']);
});

it('keeps a plan that was paid in the last moment', async () => {
  const { subscriber, invoiceId } = await world.failRenewal();
  await world.advance(subscriber, { seconds: 8 * dayS });
  await world.sync(subscriber);
  await world.setCard(subscriber, 'pm_card_visa');
  await payInvoice(world.payments, { invoiceId, idempotencyKey: `test:${invoiceId}` });
  await runDunning(world);
  await world.sync(subscriber);
  expect(await world.findSubscription(subscriber)).toMatchObject({ status: 'active', pastDueAt: null });
  expect(await world.findUser(subscriber)).toEqual({ tier: 'pro', planShare: 100 });
});

it('voids the bill of a subscription that was canceled while it was unpaid', async () => {
  const { subscriber, invoiceId } = await world.failRenewal();
  await world.pass(subscriber, 1 / dayS);
  const path = `${world.stripe.double.url}/v1/subscriptions/${subscriber.subscriptionId}`;
  const headers = { authorization: `Bearer ${world.stripe.env.STRIPE_SECRET_KEY}` };
  expect((await fetch(path, { method: 'DELETE', headers })).status).toBe(200);
  await world.pass(subscriber, 1 / dayS);
  expect((await getInvoice(world.payments, invoiceId)).invoice.status).toBe('void');
  expect(await world.listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'plan_ended']);
});

it('asks to confirm a payment that needs 3-D Secure', async () => {
  const { subscriber } = await world.failRenewal('pm_card_authenticationRequired');
  await world.pass(subscriber, 1 / dayS);
  expect(await world.listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_action_needed']);
});

it.each(['before', 'after'] as const)('collects once when Stripe fails %s the payment', async (when) => {
  const { subscriber, invoiceId } = await world.failRenewal();
  await world.pass(subscriber, 1 / dayS);
  await world.setCard(subscriber, 'pm_card_visa');
  await world.control('failures', {
    when,
    kind: 'error',
    times: 1,
    method: 'POST',
    path: `/v1/invoices/${invoiceId}/pay`,
  });
  await world.pass(subscriber, 1);
  await world.db
    .updateTable('billingCalls')
    .set({ notBefore: new Date(0) })
    .where('state', '=', 'open')
    .execute();
  while (await finishNextCall(world, finishers));
  await world.sync(subscriber);
  expect(await world.findSubscription(subscriber)).toMatchObject({ status: 'active', pastDueAt: null });
  expect(await world.listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'payment_recovered']);
  const payments = world.db.selectFrom('payments').select('received').where('invoiceId', '=', invoiceId);
  expect(await payments.execute()).toEqual([{ received: 700 }]);
});
