import { randomUUID } from 'node:crypto';
import { insertStripeEvent } from '@uprez/db/queries/billing/stripe-events';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { settlePlan } from '@uprez/domain/billing/plan/settle-plan';
import { assignPaymentEvent } from '@uprez/domain/billing/sync/assign-payment-event';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { checkPaidUnits } from '@uprez/domain/usage/check-ledger';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { listEvents } from '@uprez/payments/webhook-events';
import { makePaidPlan } from '@uprez/testing/billing/make-paid-plan';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { afterEach, expect, it } from 'vitest';

const world = fileFixture(openBillingWorld);
/** The units that the tests use belong to no job. */
afterEach(async () => {
  const errors = await listAllowanceErrors(world.db);
  expect(errors.filter(({ subject }) => subject.startsWith('allowance'))).toEqual([]);
  expect(await checkPaidUnits(world)).toEqual([]);
});

/** Receives all events of the double, and reads the customers from it. */
async function syncAll() {
  const { items } = await listEvents(world.payments, { since: new Date(0) });
  for (const { isLive: _, ...event } of items) await insertStripeEvent(world.db, event);
  while ((await assignPaymentEvent(world)) || (await syncNextCustomer(world)));
}
const listReversals = (accountId: string) =>
  world.db
    .selectFrom('ledger')
    .select(['units', 'reason', 'ref'])
    .where('accountId', '=', accountId)
    .where('kind', '=', 'reverse')
    // Allowances that end at the same time have no order.
    .orderBy('createdAt')
    .orderBy('meter')
    .execute();
const findUser = (id: string) =>
  world.db.selectFrom('users').select(['tier', 'planRef']).where('id', '=', id).executeTakeFirst();
async function readLeft(accountId: string) {
  const rows = world.db.selectFrom('allowances').select(['meter', 'unitsLeft']).where('accountId', '=', accountId);
  const open = await rows.where('closedAt', 'is', null).execute();
  return Object.fromEntries(open.map(({ meter, unitsLeft }) => [meter, unitsLeft]));
}
const useUnits = (accountId: string, count: number) =>
  world.db.transaction().execute(async (tx) => {
    const jobs = Array.from({ length: count }, () => ({ id: randomUUID(), meter: 'ai' as const, reason: 'one image' }));
    await reserveUnits(tx, { accountId, jobs });
  });
/** Refunds a payment in Stripe's dashboard: nothing here knows of it. */
const refundAtStripe = async (paymentIntentId: string, amount: number) =>
  (await world.post('refunds', { payment_intent: paymentIntentId, amount: String(amount) })).id;
async function findCharge(paymentIntentId: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${world.stripe.env.STRIPE_SECRET_KEY}` };
  const response = await fetch(`${world.stripe.double.url}/v1/payment_intents/${paymentIntentId}`, { headers });
  return ((await response.json()) as { latest_charge: unknown }).latest_charge;
}
async function subscribe(): Promise<Subscriber & { paymentIntentId: string }> {
  const subscriber = await world.subscribe();
  const paymentIntentId = await world.pay(subscriber);
  await syncAll();
  return { ...subscriber, paymentIntentId };
}

it('takes back unused units in proportion, once for each refund made at Stripe, and ends the plan with the last', async () => {
  const { accountId, paymentIntentId, ...subscriber } = await subscribe();
  await useUnits(accountId, 30);
  const first = await refundAtStripe(paymentIntentId, 350);
  await syncAll();
  expect(await findUser(accountId)).toMatchObject({ tier: 'pro' });
  expect(await readLeft(accountId)).toEqual({ ai: 20, standard: 500 });
  const halves = [
    { units: -50, ref: first, reason: 'Payment refunded ($3.50 of $7.00): 50 AI images removed' },
    { units: -500, ref: first, reason: 'Payment refunded ($3.50 of $7.00): 500 standard images removed' },
  ];
  expect(await listReversals(accountId)).toEqual(halves);
  const settle = () => world.db.transaction().execute((tx) => settlePlan(tx, accountId));
  await Promise.all(Array.from({ length: 5 }, settle));
  expect(await listReversals(accountId)).toEqual(halves);

  const second = await refundAtStripe(paymentIntentId, 350);
  await syncAll();
  const [, , ...rest] = await listReversals(accountId);
  expect(rest).toEqual([
    {
      units: -20,
      ref: second,
      reason: 'Payment refunded ($3.50 of $7.00): 20 of 50 AI images removed, the rest was used',
    },
    { units: -500, ref: second, reason: 'Payment refunded ($3.50 of $7.00): 500 standard images removed' },
  ]);
  // The subscription is still active at Stripe, but its time isn't paid.
  expect(await findUser(accountId)).toEqual({ tier: 'free', planRef: null });
  expect(await readLeft(accountId)).toEqual({ ai: 10, standard: 100 });

  await world.advance({ accountId, ...subscriber }, { until: 'period_end' });
  await world.advance({ accountId, ...subscriber }, { seconds: 7_200 });
  await syncAll();
  expect(await findUser(accountId)).toMatchObject({ tier: 'pro' });
  expect(await readLeft(accountId)).toEqual({ ai: 100, standard: 1_000 });
});

it('counts units that were taken back as neither included nor used', async () => {
  const { accountId, paymentIntentId } = await subscribe();
  const readAi = async () =>
    (await readQuota(world, { actor: { accountId } })).meters.find(({ meter }) => meter === 'ai');
  await refundAtStripe(paymentIntentId, 350);
  await syncAll();
  expect(await readAi()).toMatchObject({ included: 50, used: 0, left: 50 });
  const warnings = async () =>
    (await world.db.selectFrom('outbox').select('payload').where('userId', '=', accountId).execute())
      .map(({ payload }) => payload)
      .filter(({ mail }) => mail === 'quota_warning');
  await useUnits(accountId, 39);
  expect(await warnings()).toEqual([]);
  await useUnits(accountId, 1);
  expect(await readAi()).toMatchObject({ included: 50, used: 40, left: 10 });
  expect(await warnings()).toMatchObject([{ share: 80, included: 50, left: 10 }]);
});

it('ends the plan when a dispute about its payment is lost, and does nothing while it is open', async () => {
  const { accountId, paymentIntentId } = await subscribe();
  await world.control(`charges/${await findCharge(paymentIntentId)}/dispute`, {});
  await syncAll();
  const findDispute = () =>
    world.db.selectFrom('disputes').selectAll().where('paymentId', '=', paymentIntentId).executeTakeFirst();
  const dispute = await findDispute();
  expect(dispute).toMatchObject({ amount: 700, outcome: 'open' });
  expect(await findUser(accountId)).toMatchObject({ tier: 'pro' });
  expect(await listReversals(accountId)).toEqual([]);
  await world.control(`disputes/${dispute?.id}/close`, { status: 'lost' });
  await syncAll();
  expect(await findDispute()).toMatchObject({ outcome: 'lost' });
  expect(await findUser(accountId)).toEqual({ tier: 'free', planRef: null });
  expect(await listReversals(accountId)).toEqual([
    { units: -100, ref: dispute?.id, reason: 'Payment lost in a dispute ($7.00 of $7.00): 100 AI images removed' },
    {
      units: -1_000,
      ref: dispute?.id,
      reason: 'Payment lost in a dispute ($7.00 of $7.00): 1,000 standard images removed',
    },
  ]);
});

it('keeps taken units away when a plan returns after an override', async () => {
  const { accountId, paymentIntentId } = await subscribe();
  await refundAtStripe(paymentIntentId, 350);
  await syncAll();
  const override = async (overrideTier: 'api_pro' | null) => {
    await world.db.updateTable('users').set({ overrideTier }).where('id', '=', accountId).execute();
    await world.db.transaction().execute((tx) => settlePlan(tx, accountId));
  };
  await override('api_pro');
  expect(await readLeft(accountId)).toEqual({ shared: 5_000 });
  await override(null);
  expect(await readLeft(accountId)).toEqual({ ai: 50, standard: 500 });
  expect(await listReversals(accountId)).toHaveLength(2);
});

it('takes back a part of each later month of a yearly plan, and treats a lost dispute as a refund', async () => {
  const { accountId } = await makeUser(world.db);
  const dayMs = 86_400_000;
  const from = new Date(Date.now() - 45 * dayMs);
  const until = new Date(Number(from) + 365 * dayMs);
  const { invoiceId, subscriptionId } = await makePaidPlan(world.db, {
    accountId,
    tier: 'pro',
    interval: 'year',
    from,
    until,
  });
  const payment = { id: `pi_${randomUUID()}`, customerId: subscriptionId.replace('sub_', 'cus_'), invoiceId };
  const amounts = { amount: 700, received: 700, refunded: 70, currency: 'usd', status: 'succeeded', isDisputed: true };
  await world.db
    .insertInto('payments')
    .values({ ...payment, ...amounts, createdAt: from })
    .execute();
  const refund = { id: `re_${randomUUID()}`, paymentId: payment.id, amount: 70, currency: 'usd', createdAt: from };
  await world.db
    .insertInto('refunds')
    .values({ ...refund, status: 'succeeded' })
    .execute();
  const settle = () => world.db.transaction().execute((tx) => settlePlan(tx, accountId));
  await settle();
  expect(await readLeft(accountId)).toEqual({ ai: 90, standard: 900 });
  const dispute = { id: `dp_${randomUUID()}`, paymentId: payment.id, amount: 350, currency: 'usd', createdAt: until };
  await world.db
    .insertInto('disputes')
    .values({ ...dispute, outcome: 'open', reason: 'fraudulent' })
    .execute();
  await settle();
  expect(await readLeft(accountId)).toEqual({ ai: 90, standard: 900 });
  await world.db.updateTable('disputes').set({ outcome: 'lost' }).where('id', '=', dispute.id).execute();
  await settle();
  expect(await readLeft(accountId)).toEqual({ ai: 40, standard: 400 });
  expect((await listReversals(accountId)).map(({ reason }) => reason)).toEqual([
    'Payment refunded ($0.70 of $7.00): 10 AI images removed',
    'Payment refunded ($0.70 of $7.00): 100 standard images removed',
    'Payment lost in a dispute ($3.50 of $7.00): 50 AI images removed',
    'Payment lost in a dispute ($3.50 of $7.00): 500 standard images removed',
  ]);
});
