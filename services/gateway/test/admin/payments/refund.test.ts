import { detachDeletedCustomer } from '@uprez/db/queries/billing/billing-customers';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import { finishers } from '@uprez/domain/billing/finishers';
import { syncAccount } from '@uprez/domain/billing/sync/sync-customer';
import { createRefund, listRefunds } from '@uprez/payments/refunds';
import { upgradeSubscription } from '@uprez/payments/subscription-changes';
import { getSubscription } from '@uprez/payments/subscriptions';
import { listEvents } from '@uprez/payments/webhook-events';
import { fileFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { describe, expect, it, onTestFinished } from 'vitest';
import { setStepUp } from '../../support/accounts/admin-calls.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';
import { openPaymentsWorld } from './open-payments-world.ts';

const world = fileFixture(openPaymentsWorld);

type Refund = {
  amount: number;
  refunded?: number;
  note?: string;
  cancelSubscription?: boolean;
};
const refund = async (id: string, { refunded = 0, ...body }: Refund) =>
  (await world.admin.client.adminRefundTransaction({ params: { id }, body: { refunded, ...body } })).data;
const refused = (status: number, code: string) => expect.objectContaining({ status, code });
/** Amounts of the refunds at Stripe, oldest first. */
const atStripe = async (paymentIntentId: string) =>
  (await listRefunds(world.payments, { paymentIntentId })).items.map(({ amount }) => amount).reverse();
const listCalls = (id: string) =>
  world.db
    .selectFrom('billingCalls')
    .selectAll()
    .where('kind', '=', 'refund')
    .execute()
    .then((rows) => rows.filter(({ request }) => request.paymentId === id));
const continueCalls = async () => {
  const due = world.db.updateTable('billingCalls').set({ notBefore: new Date(0), leaseUntil: null });
  await due.where('state', '=', 'open').execute();
  while (await finishNextCall(world.ctx, finishers));
};
const findInvoice = (customerId: string) =>
  world.db.selectFrom('invoices').selectAll().where('customerId', '=', customerId).executeTakeFirstOrThrow();

describe('a refund', () => {
  it('returns a part of a payment, then the rest, with an audit row each', async () => {
    const { paymentId, customerId, accountId } = await world.subscribePaid();
    const part = await refund(paymentId, { amount: 200, note: 'Late result' });
    expect(part).toMatchObject({ id: paymentId, refunded: 200, refundable: 500, account: { id: accountId } });
    const rest = await refund(paymentId, { amount: 500, refunded: 200 });
    expect(rest).toMatchObject({ refunded: 700, refundable: 0 });
    expect(await atStripe(paymentId)).toEqual([200, 500]);
    expect(await findInvoice(customerId)).toMatchObject({ paid: 700, refunded: 700 });
    expect(await world.audits(`payment:${paymentId}`)).toMatchObject([
      {
        actorId: world.admin.user.id,
        action: 'payment.refund',
        reason: 'Late result',
        before: { refunded: 0 },
        after: { refunded: 200 },
      },
      { before: { refunded: 200 }, after: { refunded: 700 }, reason: null },
    ]);
    expect(await listCalls(paymentId)).toMatchObject([{ state: 'done' }, { state: 'done' }]);
  });

  it('shows the units that the payment gave, and those that were taken back', async () => {
    const { paymentId, accountId } = await world.subscribePaid();
    const { data } = await world.admin.client.adminListTransactions({ query: { search: accountId } });
    expect(data.map(({ description }) => description)).toEqual(['Pro, monthly']);
    expect(data.map(({ units }) => units)).toEqual([
      [
        { meter: 'ai', given: 100, reversed: 0 },
        { meter: 'standard', given: 1_000, reversed: 0 },
      ],
    ]);
    expect((await refund(paymentId, { amount: 350 })).units).toEqual([
      { meter: 'ai', given: 100, reversed: 50 },
      { meter: 'standard', given: 1_000, reversed: 500 },
    ]);
    const csv = await world.admin.fetch(`${world.url}/api/admin/payments/transactions/export?search=${accountId}`);
    expect(await csv.text()).toContain('"100 AI images, 1,000 standard images","50 AI images, 500 standard images"');
  });

  it('is refused to the administrator whose payment it is', async () => {
    const { paymentId, customerId, accountId } = await world.subscribePaid();
    const assign = (id: string) =>
      world.db.updateTable('billingCustomers').set({ accountId: id }).where('stripeId', '=', customerId).execute();
    await assign(world.admin.user.id);
    await expect(refund(paymentId, { amount: 700 })).rejects.toEqual(refused(409, 'own_account'));
    expect(await atStripe(paymentId)).toEqual([]);
    await assign(accountId);
  });

  it('is refused above the rest, and changes nothing', async () => {
    const { paymentId } = await world.subscribePaid();
    await refund(paymentId, { amount: 300 });
    await expect(refund(paymentId, { amount: 401, refunded: 300 })).rejects.toMatchObject({
      ...{ status: 422, code: 'refund_too_large', param: 'amount', meta: { refundable: 400 } },
      sentence: 'You can refund at most $4.00 of this payment.',
    });
    for (const amount of [0, -1, 1.5])
      await expect(refund(paymentId, { amount, refunded: 300 })).rejects.toEqual(refused(422, 'invalid_parameter'));
    expect(await atStripe(paymentId)).toEqual([300]);
    expect(await world.audits(`payment:${paymentId}`)).toHaveLength(1);
  });

  it('is made once if it is requested several times at once', async () => {
    const { paymentId } = await world.subscribePaid();
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => refund(paymentId, { amount: 200 })));
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const one of tries) if (one.status === 'rejected') expect(one.reason).toEqual(refused(409, 'payment_changed'));
    expect(await atStripe(paymentId)).toEqual([200]);
    expect(await world.audits(`payment:${paymentId}`)).toHaveLength(1);
  });

  it('is refused after a refund at Stripe that was not read yet, and shows what is left', async () => {
    const { paymentId, accountId } = await world.subscribePaid();
    const origin = { accountId, callId: 'dashboard', idempotencyKey: 'dashboard' };
    await createRefund(world.payments, { ...origin, paymentIntentId: paymentId, amount: 600 });
    await expect(refund(paymentId, { amount: 200 })).rejects.toEqual(refused(409, 'payment_changed'));
    const { data } = await world.admin.client.adminListTransactions({ query: { search: paymentId } });
    expect(data).toMatchObject([{ refunded: 600, refundable: 100 }]);
    expect(await atStripe(paymentId)).toEqual([600]);
    // Rows of other rejected writes follow the response.
    await expect(refund(paymentId, { amount: 200, refunded: 600 })).rejects.toEqual(refused(422, 'refund_too_large'));
    const codes = [null, 'payment_changed', 'refund_too_large'];
    const outcomes = codes.map((code) => ['payment.refund', code]);
    await expect.poll(() => world.outcomes(`payment:${paymentId}`)).toEqual(outcomes);
    const rows = world.db.selectFrom('audits').selectAll().where('subject', '=', `payment:${paymentId}`);
    const [done, failed] = await rows.orderBy('createdAt').execute();
    const { id, createdAt, before, rejected, ...same } = { ...done };
    expect(failed).toMatchObject({ ...same, before: {}, after: { refunded: 200 } });
  });

  it('is audited as failed when Stripe refuses it only later', async () => {
    const { paymentId, accountId } = await world.subscribePaid();
    world.stripe.double.failures.add({ when: 'before', kind: 'reset', times: 2, path: '/v1/refunds' });
    await expect(refund(paymentId, { amount: 200 })).rejects.toEqual(refused(503, 'billing_unavailable'));
    expect(await world.outcomes(`payment:${paymentId}`)).toEqual([['payment.refund', null]]);
    const origin = { accountId, callId: 'dashboard', idempotencyKey: `dashboard:${paymentId}` };
    await createRefund(world.payments, { ...origin, paymentIntentId: paymentId, amount: 600 });
    await continueCalls();
    const outcomes = [null, 'payment_changed'].map((code) => ['payment.refund', code]);
    expect(await world.outcomes(`payment:${paymentId}`)).toEqual(outcomes);
  });

  it('is made once if Stripe answers with an error after its effect', async () => {
    const { paymentId } = await world.subscribePaid();
    world.stripe.double.failures.add({ when: 'after', kind: 'error', times: 1, path: '/v1/refunds' });
    expect(await refund(paymentId, { amount: 700 })).toMatchObject({ refunded: 700, refundable: 0 });
    expect(await atStripe(paymentId)).toEqual([700]);
  });

  it('counts as refunded while Stripe is out of reach, and is made once afterward', async () => {
    const { paymentId } = await world.subscribePaid();
    world.stripe.double.failures.add({ when: 'before', kind: 'reset', times: 2, path: '/v1/refunds' });
    await expect(refund(paymentId, { amount: 700 })).rejects.toEqual(refused(503, 'billing_unavailable'));
    const { data } = await world.admin.client.adminListTransactions({ query: { search: paymentId } });
    expect(data).toMatchObject([{ refunded: 700, refundable: 0 }]);
    await expect(refund(paymentId, { amount: 1, refunded: 700 })).rejects.toEqual(refused(422, 'refund_too_large'));
    await continueCalls();
    expect(await listCalls(paymentId)).toMatchObject([{ state: 'done' }]);
    expect(await atStripe(paymentId)).toEqual([700]);
    await world.syncAll();
    const after = await world.admin.client.adminListTransactions({ query: { search: paymentId } });
    expect(after.data).toMatchObject([{ refunded: 700, refundable: 0 }]);
  });

  it('of a payment that failed, is missing, or is of a deleted account is refused', async () => {
    await expect(refund('pi_missing', { amount: 1 })).rejects.toEqual(refused(404, 'payment_not_found'));
    const unpaid = await world.subscribe();
    const failed = await world.pay(unpaid, 'pm_card_visa_chargeDeclined').catch(() => '');
    expect(failed).toBe('');
    await world.syncAll();
    const { data } = await world.admin.client.adminListTransactions({ query: { search: unpaid.customerId } });
    expect(data).toMatchObject([{ badge: 'failed', refundable: 0, failure: expect.any(String) }]);
    await expect(refund(data[0]?.id ?? '', { amount: 1 })).rejects.toEqual(refused(422, 'refund_too_large'));
    const { paymentId, accountId } = await world.subscribePaid();
    await world.db.deleteFrom('users').where('id', '=', accountId).execute();
    await expect(refund(paymentId, { amount: 1 })).rejects.toMatchObject({
      code: 'subscription_state',
      sentence: 'This account was deleted. Refund the payment in Stripe.',
    });
  });
});

describe('a customer that was deleted at Stripe', () => {
  it('is listed with its account, and its payment and subscription are changed at Stripe', async () => {
    const { paymentId, subscriptionId, accountId, customerId } = await world.subscribePaid();
    await world.db.transaction().execute((tx) => detachDeletedCustomer(tx, { accountId, stripeId: customerId }));
    const { items } = await listEvents(world.payments, { since: new Date(0) });
    for (const { isLive: _, ...event } of items) await insertStripeEvent(world.db, event);
    const query = { search: accountId };
    const { client } = world.admin;
    const account = { id: accountId };
    expect((await client.adminListTransactions({ query })).data).toMatchObject([{ account, refundable: 0 }]);
    expect((await client.adminListSubscriptions({ query })).data).toMatchObject([{ id: subscriptionId, account }]);
    const events = (await client.adminListStripeEvents({ query })).data;
    expect(events.length).toBeGreaterThan(0);
    for (const event of events) expect(event).toMatchObject({ account });
    await expect(refund(paymentId, { amount: 1 })).rejects.toMatchObject({
      sentence: 'The customer of this payment was deleted at Stripe. Refund the payment there.',
    });
    const body = { when: 'now' } as const;
    await expect(client.adminCancelSubscription({ params: { id: subscriptionId }, body })).rejects.toMatchObject({
      sentence: 'The customer of this subscription was deleted at Stripe.',
    });
  });
});

describe('a refund that cancels the subscription', () => {
  const readStatus = async (subscriptionId: string) =>
    (await getSubscription(world.payments, subscriptionId)).subscription.status;
  const find = async (paymentId: string) =>
    (await world.admin.client.adminListTransactions({ query: { search: paymentId } })).data[0];
  const findCall = (accountId: string) =>
    world.db.selectFrom('billingCalls').selectAll().where('accountId', '=', accountId).executeTakeFirstOrThrow();
  it('is offered for the current period, and ends both in one request with one audit row', async () => {
    const { paymentId, subscriptionId, accountId, customerId } = await world.subscribePaid();
    expect(await find(paymentId)).toMatchObject({
      subscription: { id: subscriptionId, renewsAt: expect.any(String) },
      card: { brand: 'visa', last4: '4242' },
    });
    const after = await refund(paymentId, { amount: 700, cancelSubscription: true });
    expect(after).toMatchObject({ refunded: 700, refundable: 0, subscription: null });
    expect(await readStatus(subscriptionId)).toBe('canceled');
    expect(await atStripe(paymentId)).toEqual([700]);
    expect(await findCall(accountId)).toMatchObject({ kind: 'refund_and_cancel', state: 'done' });
    expect(await world.audits(`payment:${paymentId}`)).toMatchObject([
      {
        action: 'payment.refund',
        before: { refunded: 0 },
        after: { refunded: 700, canceledSubscription: subscriptionId },
      },
    ]);
    await world.advance({ accountId, customerId, subscriptionId }, { seconds: 62 * 86_400 });
    await world.admin.client.adminResyncAccount({ params: { id: accountId } });
    expect(await findInvoice(customerId)).toMatchObject({ paid: 700, refunded: 700 });
  });

  it('cancels nothing unless it is asked for', async () => {
    const { paymentId, subscriptionId } = await world.subscribePaid();
    await refund(paymentId, { amount: 700 });
    expect(await readStatus(subscriptionId)).toBe('active');
    expect((await find(paymentId))?.subscription).toMatchObject({ id: subscriptionId });
  });

  it('is refused for a payment of a former period, and refunds nothing', async () => {
    const subscriber = await world.subscribePaid();
    await world.advance(subscriber, { until: 'period_end' });
    await world.advance(subscriber, { seconds: 7_200 });
    await world.admin.client.adminResyncAccount({ params: { id: subscriber.accountId } });
    const { paymentId } = subscriber;
    expect((await find(paymentId))?.subscription).toBeNull();
    const both = refund(paymentId, { amount: 700, cancelSubscription: true });
    await expect(both).rejects.toEqual(refused(409, 'subscription_state'));
    expect(await atStripe(paymentId)).toEqual([]);
  });

  /** Changes the plan at Stripe. Nothing here knows of it. */
  async function upgradeAtStripe(subscriptionId: string) {
    const { itemId } = (await getSubscription(world.payments, subscriptionId)).subscription;
    const change = { subscriptionId, itemId, priceId: await world.findPrice('api_basic') };
    const keys = { prorationDate: new Date(), idempotencyKey: `upgrade:${subscriptionId}` };
    await upgradeSubscription(world.payments, { ...change, ...keys });
  }

  it('is refused after an upgrade that was not read yet, and refunds nothing', async () => {
    const { paymentId, subscriptionId } = await world.subscribePaid();
    await upgradeAtStripe(subscriptionId);
    const both = refund(paymentId, { amount: 700, cancelSubscription: true });
    await expect(both).rejects.toEqual(refused(409, 'subscription_state'));
    expect(await atStripe(paymentId)).toEqual([]);
  });

  it('is refused after an upgrade while it was prepared, and refunds nothing', async () => {
    const { paymentId, subscriptionId, accountId } = await world.subscribePaid();
    const proxy = await openHoldingProxy(world.stripe.double.url, '/v1/subscriptions/');
    const slow = await startTestGateway({
      ...{ DATABASE_URL: world.databaseUrl, ...world.stripe.env },
      STRIPE_API_URL: proxy.url,
    });
    onTestFinished(async () => {
      proxy.close();
      await slow.close();
    });
    const admin = await slow.signUp();
    await world.db.updateTable('users').set({ role: 'owner' }).where('id', '=', admin.user.id).execute();
    await setStepUp(world.db, admin, 0);
    const body = { amount: 700, refunded: 0, cancelSubscription: true };
    const both = admin.client.adminRefundTransaction({ params: { id: paymentId }, body });
    const rejection = expect(both).rejects.toEqual(refused(409, 'subscription_state'));
    await proxy.held;
    await upgradeAtStripe(subscriptionId);
    await syncAccount(world.ctx, accountId);
    proxy.release();
    await rejection;
    expect(await atStripe(paymentId)).toEqual([]);
  });

  it.each([
    ['/v1/refunds', false],
    ['/v1/subscriptions', true],
  ])('is completed after Stripe could not be reached at %s, however long that takes', async (path, isLate) => {
    const { paymentId, subscriptionId, accountId } = await world.subscribePaid();
    const method = isLate ? 'DELETE' : 'POST';
    world.stripe.double.failures.add({ when: 'before', kind: 'reset', times: 2, path, method });
    const both = refund(paymentId, { amount: 700, cancelSubscription: true });
    await expect(both).rejects.toEqual(refused(503, 'billing_unavailable'));
    expect(await find(paymentId)).toMatchObject({ refunded: 700, refundable: 0 });
    // What was refunded is ended also after the call expired.
    if (isLate)
      await world.db
        .updateTable('billingCalls')
        .set({ expiresAt: new Date(0) })
        .where('accountId', '=', accountId)
        .execute();
    await continueCalls();
    expect(await findCall(accountId)).toMatchObject({ state: 'done' });
    expect(await readStatus(subscriptionId)).toBe('canceled');
    expect(await atStripe(paymentId)).toEqual([700]);
  });

  it('cancels nothing if Stripe refuses the refund', async () => {
    const { paymentId, subscriptionId, accountId } = await world.subscribePaid();
    const origin = { accountId, callId: 'dashboard', idempotencyKey: `dashboard:${paymentId}` };
    await createRefund(world.payments, { ...origin, paymentIntentId: paymentId, amount: 600 });
    const both = refund(paymentId, { amount: 700, cancelSubscription: true });
    await expect(both).rejects.toEqual(refused(409, 'payment_changed'));
    expect(await readStatus(subscriptionId)).toBe('active');
    const outcomes = [null, 'payment_changed'].map((code) => ['payment.refund', code]);
    expect(await world.outcomes(`payment:${paymentId}`)).toEqual(outcomes);
  });
});

describe('who refunds', () => {
  it('has recently entered the password, and nothing happens otherwise', async () => {
    const { paymentId } = await world.subscribePaid();
    const { admin } = world;
    await setStepUp(world.db, admin, null);
    await expect(refund(paymentId, { amount: 100 })).rejects.toEqual(refused(403, 'step_up_required'));
    expect(await atStripe(paymentId)).toEqual([]);
    expect(await world.audits(`payment:${paymentId}`)).toEqual([]);
    await admin.client.stepUp({ body: { password: admin.password } });
    expect(await refund(paymentId, { amount: 100 })).toMatchObject({ refunded: 100 });
  });

  it('is an administrator', async () => {
    const { paymentId } = await world.subscribePaid();
    const user = await world.signUp();
    const call = user.client.adminRefundTransaction({ params: { id: paymentId }, body: { amount: 100, refunded: 0 } });
    await expect(call).rejects.toEqual(refused(403, 'admin_only'));
  });
});
