import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { checkPaidUnits } from '@uprez/domain/usage/check-ledger';
import { getInvoice } from '@uprez/payments/invoices';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { dayS, openDunningWorld } from './open-dunning-world.ts';

const world = fileFixture(openDunningWorld);
// Stripe's default: 8 attempts within 2 weeks.
beforeEach(() => world.control('retries', {}));
afterEach(async () => {
  expect(await listAllowanceErrors(world.db)).toEqual([]);
  expect(await checkPaidUnits(world)).toEqual([]);
});

it('sends an email on days 0, 1, 3, and 5 while Stripe collects, and ends the plan on day 7', async () => {
  const { subscriber, invoiceId } = await world.failRenewal();
  const steps: [days: number, declines: number, mails: number][] = [
    [1 / dayS, 1, 1],
    [1, 2, 2],
    [1, 3, 2],
    [1, 3, 3],
    [1, 4, 3],
    [1, 4, 4],
    [0.9, 4, 4],
    [0.2, 5, 4],
  ];
  for (const [days, declines, mails] of steps) {
    await world.pass(subscriber, days);
    const sent = (await world.listMails(subscriber)).slice(1);
    expect([await world.countDeclines(invoiceId), sent.length]).toEqual([declines, mails]);
    expect(sent.at(-1)).toMatchObject({ mail: 'payment_failed', retryAt: expect.any(String) });
    expect(await world.findUser(subscriber)).toEqual({ tier: 'pro', planShare: 25 });
  }
  await world.pass(subscriber, 1);
  expect(await world.findSubscription(subscriber)).toMatchObject({ status: 'canceled', pastDueAt: null });
  expect((await getInvoice(world.payments, invoiceId)).invoice.status).toBe('void');
  expect((await world.listMailNames(subscriber)).at(-1)).toBe('plan_ended');
  const calls = world.db.selectFrom('billingCalls').select('idempotencyKey');
  expect(await calls.where('accountId', '=', subscriber.accountId).execute()).toEqual([
    { idempotencyKey: `end:${invoiceId}` },
  ]);
  // Stripe doesn't collect a bill that is void.
  await world.pass(subscriber, 10);
  expect(await world.countDeclines(invoiceId)).toBe(5);
});

it('keeps the plan when an attempt of Stripe succeeds', async () => {
  const { subscriber, invoiceId } = await world.failRenewal();
  await world.pass(subscriber, 1);
  await world.setCard(subscriber, 'pm_card_visa');
  await world.pass(subscriber, 1);
  expect(await world.findSubscription(subscriber)).toMatchObject({
    status: 'active',
    pastDueAt: null,
    ladderStep: null,
  });
  expect(await world.findUser(subscriber)).toEqual({ tier: 'pro', planShare: 100 });
  await world.pass(subscriber, 7);
  expect(await world.countDeclines(invoiceId)).toBe(2);
  expect(await world.listMailNames(subscriber)).toEqual(['plan_subscribed', 'payment_failed', 'payment_recovered']);
});

it('asks again to confirm a payment that needs 3-D Secure when Stripe repeats it', async () => {
  const { subscriber } = await world.failRenewal('pm_card_authenticationRequired');
  for (const days of [1 / dayS, 1, 2]) await world.pass(subscriber, days);
  expect(await world.listMailNames(subscriber)).toEqual([
    'plan_subscribed',
    ...Array.from({ length: 3 }, () => 'payment_action_needed'),
  ]);
});

it('leaves attempts to Stripe while Stripe plans some, on a schedule of its own', async () => {
  await world.control('retries', { delaysDays: [2, 3] });
  const { subscriber, invoiceId } = await world.failRenewal();
  await world.pass(subscriber, 1);
  expect(await world.countDeclines(invoiceId)).toBe(1);
  const mails = await world.listMails(subscriber);
  expect(mails).toHaveLength(2);
  const { nextAttemptAt } = await world.db
    .selectFrom('invoices')
    .select('nextAttemptAt')
    .where('id', '=', invoiceId)
    .executeTakeFirstOrThrow();
  expect(mails.at(-1)).toMatchObject({ mail: 'payment_failed', retryAt: nextAttemptAt?.toISOString() });
});
