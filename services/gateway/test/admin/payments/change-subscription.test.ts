import { randomUUID } from 'node:crypto';
import { getSubscription } from '@uprez/payments/subscriptions';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { openPaymentsWorld } from './open-payments-world.ts';

const world = fileFixture(openPaymentsWorld);

const refused = (status: number, code: string) => expect.objectContaining({ status, code });
type When = { when: 'now' | 'period_end'; note?: string };
const cancel = async (id: string, body: When) =>
  (await world.admin.client.adminCancelSubscription({ params: { id }, body })).data;
const retry = async (id: string) => (await world.admin.client.adminRetryInvoice({ params: { id } })).data;
const resync = async (id: string) => (await world.admin.client.adminResyncAccount({ params: { id } })).data;
const atStripe = async (id: string) => (await getSubscription(world.payments, id)).subscription;
const tierOf = async (accountId: string) =>
  (await world.db.selectFrom('users').select('tier').where('id', '=', accountId).executeTakeFirst())?.tier;
/** Lets the period of a customer pass, with a card that is declined. */
async function failRenewal({ customerId, subscriptionId }: { customerId: string; subscriptionId: string }) {
  const { id } = await world.post('payment_methods/pm_card_chargeCustomerFail/attach', { customer: customerId });
  await world.post(`subscriptions/${subscriptionId}`, { default_payment_method: id });
  await world.control(`customers/${customerId}/advance`, { until: 'period_end' });
  await world.control(`customers/${customerId}/advance`, { seconds: 7_200 });
  await world.db
    .updateTable('billingCustomers')
    .set((eb) => ({ wanted: eb('wanted', '+', 1) }))
    .execute();
  await world.syncAll();
}

describe('canceling', () => {
  it('at the end of the period keeps the plan until then, and is audited', async () => {
    const { subscriptionId, accountId } = await world.subscribePaid();
    const canceled = await cancel(subscriptionId, { when: 'period_end', note: 'Asked by email' });
    expect(canceled).toMatchObject({ id: subscriptionId, badge: 'active', endedAt: null });
    expect(canceled.cancelAt).toBe(canceled.periodEnd);
    expect(await atStripe(subscriptionId)).toMatchObject({ cancelsAtPeriodEnd: true, status: 'active' });
    expect(await tierOf(accountId)).toBe('pro');
    expect(await world.audits(`subscription:${subscriptionId}`)).toMatchObject([
      {
        actorId: world.admin.user.id,
        action: 'subscription.cancel',
        reason: 'Asked by email',
        before: { status: 'active', cancelAt: null },
        after: { status: 'active', cancelAt: canceled.periodEnd },
      },
    ]);
    await expect(cancel(subscriptionId, { when: 'period_end' })).rejects.toEqual(refused(409, 'subscription_state'));
  });

  it('now ends the plan at once, without a refund', async () => {
    const { subscriptionId, accountId, paymentId } = await world.subscribePaid();
    expect(await cancel(subscriptionId, { when: 'now' })).toMatchObject({ badge: 'canceled' });
    expect(await atStripe(subscriptionId)).toMatchObject({ status: 'canceled' });
    expect(await tierOf(accountId)).toBe('free');
    const { data } = await world.admin.client.adminListTransactions({ query: { search: paymentId } });
    expect(data).toMatchObject([{ refunded: 0, refundable: 700 }]);
    expect(await world.audits(`subscription:${subscriptionId}`)).toMatchObject([{ after: { status: 'canceled' } }]);
    for (const when of ['now', 'period_end'] as const)
      await expect(cancel(subscriptionId, { when })).rejects.toEqual(refused(409, 'subscription_state'));
    expect(await world.audits(`subscription:${subscriptionId}`)).toHaveLength(1);
  });

  it('is refused while another change of the account is open, without an audit row', async () => {
    const { subscriptionId, accountId } = await world.subscribePaid();
    const [first, second] = await Promise.allSettled([
      cancel(subscriptionId, { when: 'now' }),
      cancel(subscriptionId, { when: 'now' }),
    ]);
    const outcomes = [first, second].map(({ status }) => status).toSorted();
    expect(outcomes).toEqual(['fulfilled', 'rejected']);
    expect(await world.audits(`subscription:${subscriptionId}`)).toHaveLength(1);
    expect(await tierOf(accountId)).toBe('free');
  });

  it('of an unpaid one must be now, and voids its bill', async () => {
    const subscriber = await world.subscribePaid();
    await failRenewal(subscriber);
    const { subscriptionId: id, customerId } = subscriber;
    const { data } = await world.admin.client.adminListSubscriptions({ query: { search: id, status: 'past_due' } });
    expect(data).toMatchObject([{ id, unpaid: { amount: 700 } }]);
    await expect(cancel(id, { when: 'period_end' })).rejects.toEqual(refused(409, 'subscription_state'));
    expect(await cancel(id, { when: 'now' })).toMatchObject({ badge: 'canceled', unpaid: null });
    const voided = world.db.selectFrom('invoices').select('status').where('customerId', '=', customerId);
    expect(await voided.where('status', '=', 'void').execute()).toHaveLength(1);
  });

  it.each(['sub_missing', 'x', "' or true --"])('returns 404 for %j', async (id) => {
    await expect(cancel(id, { when: 'now' })).rejects.toEqual(refused(404, 'subscription_not_found'));
    await expect(retry(id)).rejects.toEqual(refused(404, 'subscription_not_found'));
  });
});

describe('collecting a bill', () => {
  it('fails with the reason of the bank, and succeeds with another card', async () => {
    const subscriber = await world.subscribePaid();
    await failRenewal(subscriber);
    const { subscriptionId: id, customerId, accountId } = subscriber;
    await expect(retry(id)).rejects.toMatchObject({ status: 402, code: 'payment_declined' });
    const asking = await world.post('payment_methods/pm_card_authenticationRequired/attach', { customer: customerId });
    await world.post(`subscriptions/${id}`, { default_payment_method: asking.id });
    await expect(retry(id)).rejects.toMatchObject({ status: 402, code: 'payment_declined' });
    const card = await world.post('payment_methods/pm_card_visa/attach', { customer: customerId });
    await world.post(`subscriptions/${id}`, { default_payment_method: card.id });
    expect(await retry(id)).toMatchObject({ badge: 'active', unpaid: null });
    expect(await tierOf(accountId)).toBe('pro');
    const [done, failed] = [null, 'payment_declined'].map((code) => ['subscription.retry', code]);
    expect(await world.outcomes(`subscription:${id}`)).toEqual([done, failed, done, failed, done]);
  });

  it('is refused without an unpaid bill', async () => {
    const { subscriptionId } = await world.subscribePaid();
    await expect(retry(subscriptionId)).rejects.toMatchObject({
      code: 'subscription_state',
      sentence: 'This subscription has no unpaid bill.',
    });
  });
});

describe('reading an account from Stripe again', () => {
  it('stores what changed at once, and returns its subscriptions', async () => {
    const subscriber = await world.subscribe();
    await world.pay(subscriber);
    expect(await resync(subscriber.accountId)).toMatchObject([{ id: subscriber.subscriptionId, badge: 'active' }]);
    expect(await tierOf(subscriber.accountId)).toBe('pro');
    expect(await world.audits(`user:${subscriber.accountId}`)).toMatchObject([{ action: 'billing.resync' }]);
  });

  it('returns nothing for an account without a customer, and 404 for no account', async () => {
    expect(await resync(world.admin.user.id)).toEqual([]);
    for (const id of [randomUUID(), 'x']) await expect(resync(id)).rejects.toEqual(refused(404, 'user_not_found'));
  });

  it('returns 503 while Stripe fails', async () => {
    const { accountId } = await world.subscribePaid();
    world.stripe.double.failures.add({ when: 'before', kind: 'error', times: 2, path: '/v1/invoices' });
    await expect(resync(accountId)).rejects.toEqual(refused(503, 'billing_unavailable'));
    expect(await resync(accountId)).toHaveLength(1);
  });
});

describe('a refund of a customer', () => {
  const findUser = (id: string) =>
    world.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  const findInvoice = (customerId: string) =>
    world.db.selectFrom('invoices').selectAll().where('customerId', '=', customerId).executeTakeFirstOrThrow();
  const refund = (id: string, body: { amount: number; cancelSubscription?: boolean }) =>
    world.admin.client.adminRefundTransaction({ params: { id }, body: { refunded: 0, ...body } });

  it('is found in the audit log by its customer, with the invoice and amounts in dollars', async () => {
    const { paymentId, subscriptionId, accountId, customerId } = await world.subscribePaid();
    await refund(paymentId, { amount: 700, cancelSubscription: true });
    const { email } = await findUser(accountId);
    const { number } = await findInvoice(customerId);
    const byAccount = (await world.admin.client.adminListAudits({ query: { account: accountId } })).data;
    expect((await world.admin.client.adminListAudits({ query: { search: email } })).data).toEqual(byAccount);
    expect(byAccount).toMatchObject([
      {
        action: 'payment.refund',
        subject: { kind: 'payment', id: paymentId, label: number, amount: 700, currency: 'usd', accountId, email },
        after: { canceledSubscription: subscriptionId },
        names: { [subscriptionId]: 'Pro' },
      },
    ]);
    const exported = await world.admin.fetch(`${world.url}/api/admin/audit/export?account=${accountId}`);
    const csv = await exported.text();
    for (const part of [`Payment ${number} ($7.00)`, 'Refunded: $0.00 -> $7.00', 'Canceled subscription: Pro', email])
      expect(csv).toContain(part);
  });

  it('is in the history of its customer, beside the payment and the subscription', async () => {
    const { paymentId, accountId, customerId } = await world.subscribePaid();
    await refund(paymentId, { amount: 200 });
    const { number } = await findInvoice(customerId);
    const { data } = await world.admin.client.adminListUserHistory({ params: { id: accountId }, query: {} });
    expect(data.map(({ title, detail }) => `${title} (${detail})`).toSorted()).toEqual(
      [
        'Account created (null)',
        `Paid: $7.00 (Invoice ${number})`,
        `Refunded: $2.00 (Invoice ${number})`,
        'Subscribed to Pro, monthly ($7.00)',
      ].toSorted(),
    );
    const times = data.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().toReversed());
    const pages = [];
    for (let next: string | undefined = `/api/admin/users/${accountId}/history?limit=2`; next; ) {
      const response: Response = await world.admin.fetch(world.url + next);
      pages.push(...((await response.json()) as { id: string }[]).map(({ id }) => id));
      next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
    }
    expect(pages).toEqual(data.map(({ id }) => id));
  });
});
