import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { fileFixture } from '@uprez/testing/fixtures';
import { expect, it } from 'vitest';
import { openPaymentsWorld } from './open-payments-world.ts';

const world = fileFixture(openPaymentsWorld);

/** The entries of a history in one line each, oldest first. */
const readHistory = async (id: string) =>
  (await world.admin.client.adminListUserHistory({ params: { id }, query: {} })).data
    .filter(({ id }) => !id.startsWith('joined'))
    .map(({ title, detail, by }) => [title, detail, by].filter(Boolean).join(' | '))
    .reverse();
const findUser = (id: string) =>
  world.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const numberOf = async (customerId: string) => {
  const invoices = world.db.selectFrom('invoices').select('number').where('customerId', '=', customerId);
  return (await invoices.executeTakeFirstOrThrow()).number;
};

it('keeps the plan that was bought first after another one was bought', async () => {
  const { subscriptionId, accountId, customerId } = await world.subscribePaid('pro');
  await world.db
    .updateTable('subscriptions')
    .set({ tier: 'api_basic', amount: 1_900, priceId: await world.findPrice('api_basic') })
    .where('id', '=', subscriptionId)
    .execute();
  const number = await numberOf(customerId);
  expect((await readHistory(accountId)).toSorted()).toEqual([
    `Paid: $7.00 | Invoice ${number} | Customer`,
    'Subscribed to Pro, monthly | $7.00 | Customer',
  ]);
});

it('lists a refund and the end of a subscription once, with the administrator and the reason', async () => {
  const { paymentId, accountId, customerId } = await world.subscribePaid();
  const body = { amount: 700, refunded: 0, cancelSubscription: true, note: 'Wrong plan' };
  await world.admin.client.adminRefundTransaction({ params: { id: paymentId }, body });
  const number = await numberOf(customerId);
  const { email } = await findUser(world.admin.user.id);
  const by = (await findUser(world.admin.user.id)).firstName ?? email;
  expect((await readHistory(accountId)).toSorted()).toEqual([
    `Paid: $7.00 | Invoice ${number} | Customer`,
    `Refunded: $7.00 | Invoice ${number}\nReason: Wrong plan | ${by}`,
    `Subscribed to Pro, monthly | $7.00 | Customer`,
    `Subscription ended: Pro, monthly | Reason: Wrong plan | ${by}`,
  ]);
});

it('lists the end of a subscription that an administrator canceled once', async () => {
  const { subscriptionId, accountId } = await world.subscribePaid();
  const body = { when: 'now', note: 'Asked by email' } as const;
  await world.admin.client.adminCancelSubscription({ params: { id: subscriptionId }, body });
  const told = (await readHistory(accountId)).filter((entry) => /cancel|ended/i.test(entry));
  expect(told).toEqual([expect.stringMatching(/^Subscription ended: Pro, monthly \| Reason: Asked by email \| /)]);
});

it("shows the customer's reason and comment for a cancellation", async () => {
  const { accountId } = await world.subscribePaid();
  await cancelPlan(world.ctx, { accountId, feedback: 'too_expensive', comment: 'See you in spring' });
  const { data } = await world.admin.client.adminListSubscriptions({ query: { search: accountId } });
  expect(data).toMatchObject([{ cancellation: { feedback: 'too_expensive', comment: 'See you in spring' } }]);
  const csv = await world.admin.fetch(`${world.url}/api/admin/payments/subscriptions/export?search=${accountId}`);
  expect(await csv.text()).toContain('too_expensive,See you in spring');
  const users = await world.admin.fetch(`${world.url}/api/admin/users/export?search=${accountId}`);
  expect(await users.text()).toContain(`,pro,${data[0]?.cancelAt},`);
  expect(await readHistory(accountId)).toContain(
    "Scheduled a cancellation for the end of the period | Reason: It's too expensive\nComment: See you in spring | Customer",
  );
});
