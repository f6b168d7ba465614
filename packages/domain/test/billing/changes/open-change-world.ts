import { randomUUID } from 'node:crypto';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Call, CallKind } from '@uprez/domain/billing/calls/call-kind';
import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import type { PlanChange } from '@uprez/domain/billing/changes/plan-change';
import { finishers } from '@uprez/domain/billing/finishers';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import { syncAccount } from '@uprez/domain/billing/sync/sync-customer';
import { openVault } from '@uprez/domain/vault';
import { createPrice } from '@uprez/payments/catalog';
import { listInvoices } from '@uprez/payments/invoices';
import { PaymentError } from '@uprez/payments/payment-error';
import { listPayments } from '@uprez/payments/payment-intents';
import { getSubscription } from '@uprez/payments/subscriptions';
import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { expect } from 'vitest';

export const code = (expected: string) => expect.objectContaining({ code: expected });

/** Runs the steps of a kind up to one whose effect isn't stored. */
export const killIn = (kind: CallKind<PlanChange>, name: string): CallKind<PlanChange> => ({
  ...kind,
  steps: kind.steps.map((step) => ({
    ...step,
    send: async (ctx, call: Call<PlanChange>, key) => {
      const ids = await step.send(ctx, call, key);
      if (step.name === name) throw new PaymentError('unreachable');
      return ids;
    },
  })),
});

/** Opens a world whose accounts have paid plans, with a yearly price of Pro (70.00). */
export async function openChangeWorld() {
  const world = await openBillingWorld();
  const { db, payments, log } = world;
  const vault = openVault('a vault secret of these tests, long enough');
  const ctx = { db, payments, log, vault };
  const yearlyPriceId = await addYearlyPrice(world);
  const findPrice = async (tier: Tier) => {
    const monthly = db.selectFrom('prices').select('id').where('interval', '=', 'month').where('active', '=', true);
    return (await monthly.where('tier', '=', tier).executeTakeFirstOrThrow()).id;
  };
  const sync = async ({ accountId }: Subscriber) => {
    await syncAccount(ctx, accountId);
    return await readBilling(ctx, accountId);
  };
  const setCard = async ({ customerId, subscriptionId }: Subscriber, card: string) => {
    const { id } = await world.post(`payment_methods/${card}/attach`, { customer: customerId });
    await world.post(`subscriptions/${subscriptionId}`, { default_payment_method: id });
    return id;
  };
  const impatient = world.openClient(world.stripe.double.url, 300);
  return {
    ...world,
    ctx,
    yearlyPriceId,
    findPrice,
    sync,
    /** Sets the card of later bills. */
    setCard,
    /** The same context for calls that Stripe doesn't respond to. */
    impatientCtx: { ...ctx, payments: impatient },
    /** Makes an account with a paid plan. */
    buy: async (plan: Tier | { priceId: string } = 'pro', card = 'pm_card_visa'): Promise<Subscriber> => {
      const subscriber = await world.subscribe('', typeof plan === 'string' ? await findPrice(plan) : plan.priceId);
      await world.pay(subscriber, card);
      await sync(subscriber);
      return subscriber;
    },
    advance: (subscriber: Subscriber, time: { seconds: number } | { until: 'period_end' }) =>
      world.control(`customers/${subscriber.customerId}/advance`, time),
    /** Lets the renewal of a subscription fail. */
    failRenewal: async (subscriber: Subscriber, card = 'pm_card_chargeCustomerFail') => {
      await setCard(subscriber, card);
      await world.control(`customers/${subscriber.customerId}/advance`, { until: 'period_end' });
      await world.control(`customers/${subscriber.customerId}/advance`, { seconds: 2 * 3_600 });
      return await sync(subscriber);
    },
    /** Continues all open calls, as the dispatcher does after a crash. */
    finishAll: async () => {
      await fetch(`${world.stripe.double.url}/_control/failures`, { method: 'DELETE' });
      await db
        .updateTable('billingCalls')
        .set({ notBefore: new Date(0), leaseUntil: null })
        .execute();
      while (await finishNextCall(ctx, finishers));
    },
    readCalls: ({ accountId }: Subscriber) =>
      db.selectFrom('billingCalls').selectAll().where('accountId', '=', accountId).orderBy('createdAt').execute(),
    /** The discounts of a subscription at Stripe. */
    readDiscounts: async ({ subscriptionId }: Subscriber) =>
      (await getSubscription(payments, subscriptionId)).subscription.discounts,
    readTier: async ({ accountId }: Subscriber) =>
      (await db.selectFrom('users').select('tier').where('id', '=', accountId).executeTakeFirstOrThrow()).tier,
    /** Invoices at Stripe, newest first. */
    readInvoices: async ({ customerId }: Subscriber) => (await listInvoices(payments, { customerId })).items,
    /** Cents that the customer paid and got back. */
    readMoney: async ({ customerId }: Subscriber) => {
      const { items } = await listPayments(payments, { customerId });
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      return { paid: sum(items.map(({ received }) => received)), refunded: sum(items.map(({ refunded }) => refunded)) };
    },
    close: async () => {
      impatient.close();
      await world.close();
    },
  };
}

async function addYearlyPrice({ db, payments }: Awaited<ReturnType<typeof openBillingWorld>>): Promise<string> {
  const terms = { tier: 'pro', interval: 'year', planVersion: 1, amount: 7_000, currency: 'usd' } as const;
  const lookupKey = 'uprez_pro_year_v1_7000';
  const { tier, planVersion, ...price } = terms;
  const sold = { tier, planVersion };
  const { id } = await createPrice(payments, {
    ...{ ...price, sold, productId: 'uprez_pro', lookupKey },
    idempotencyKey: randomUUID(),
  });
  await db
    .insertInto('prices')
    .values({ id, ...terms, lookupKey, active: true })
    .execute();
  return id;
}
