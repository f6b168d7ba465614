import { randomUUID } from 'node:crypto';
import { findOwnSubscription } from '@uprez/db/queries/billing/own-billing';
import { settleReservation } from '@uprez/db/queries/usage/ledger';
import { executeCall } from '@uprez/domain/billing/calls/run-call';
import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { changeCard } from '@uprez/domain/billing/changes/change-card';
import { changePlan, undoChange } from '@uprez/domain/billing/changes/change-plan';
import { refundPlan } from '@uprez/domain/billing/changes/money-back';
import { pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { payBill } from '@uprez/domain/billing/changes/pay-bill';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { resumePlan } from '@uprez/domain/billing/changes/resume-plan';
import { runDunning } from '@uprez/domain/billing/dunning/run-dunning';
import { settleEndedPlans } from '@uprez/domain/billing/plan/settle-plan';
import {
  createCheckoutSession,
  createPackCheckout,
  createSubscription,
} from '@uprez/domain/billing/purchases/checkout';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';
import { refundKind } from '@uprez/domain/billing/refunds/refund-kind';
import { pullEvents } from '@uprez/domain/billing/stripe-events';
import { syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { closeEndedAllowances } from '@uprez/domain/usage/ensure-period';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { listPayments } from '@uprez/payments/payment-intents';
import type { Life, Person } from './open-life.ts';

/** Returns a whole number from 0 on, below the limit. */
export type Random = (limit: number) => number;
type Step = (life: Life, person: Person, random: Random) => Promise<unknown>;

const pick = <T>(list: readonly T[], random: Random): T => {
  const item = list[random(list.length)];
  if (item === undefined) throw new Error('nothing to pick');
  return item;
};
const hour = 3_600;
const day = 24 * hour;
const monthly = ['pro', 'api_basic', 'api_pro'] as const;
const anyPrice = ({ yearlyPriceId }: Life, random: Random) => pick([...monthly, 'pro', yearlyPriceId], random);
const cards = [
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_visa',
  'pm_card_mastercard',
  'pm_card_chargeCustomerFail',
  'pm_card_chargeDeclined',
  'pm_card_authenticationRequired',
];
const publicUrl = 'https://images.example';
const input = (life: Life, { buyer }: Person, random: Random) => ({
  ...{ buyer, publicUrl, ipAddress: '192.0.2.1', priceId: anyPrice(life, random) },
});

/** `coupon`: of which each account has enough uses. */
const buy =
  (coupon?: (life: Life) => string): Step =>
  async (life, person, random) => {
    delete person.url;
    const typed = { ...input(life, person, random), coupon: coupon?.(life) };
    person.secret = (await createSubscription(life.ctx, typed)).clientSecret;
  };
const buyHosted =
  (coupon?: (life: Life) => string): Step =>
  async (life, person, random) => {
    delete person.secret;
    const typed = { ...input(life, person, random), coupon: coupon?.(life) };
    person.url = (await createCheckoutSession(life.ctx, typed)).url;
  };
const withCode = ({ code }: Life) => code;
const buyPackHosted: Step = async (life, person) => {
  const bought = { buyer: person.buyer, publicUrl, pack: life.pack.key };
  person.packUrl = (await createPackCheckout(life.ctx, bought)).url;
};
const payOnPage = async (url: string) => {
  const body = new URLSearchParams({ number: '4242424242424242' });
  await fetch(url, { method: 'POST', body, redirect: 'manual' });
};
/** Pays the page of a pack, which may be paid or have expired. Twice: a double click. */
const payPack: Step = async (_life, { packUrl }, random) => {
  if (!packUrl) return;
  await payOnPage(packUrl);
  if (random(2) === 0) await payOnPage(packUrl);
};
/** Confirms what the browser has: Stripe's page, or our form with the card. Twice: a double click. */
const pay: Step = async (life, { url, secret }, random) => {
  const confirm = async () => {
    if (url) await payOnPage(url);
    else if (secret) {
      const kind = secret.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
      const card = pick(cards, random);
      // Stripe refuses cards that it declines, and intents that are paid or canceled.
      await life.post(`${kind}/${secret.split('_secret_')[0]}/confirm`, { payment_method: card }).catch(() => {});
    }
  };
  await confirm();
  if (random(2) === 0) await confirm();
};
const refresh: Step = ({ ctx }, { accountId }) => refreshBilling(ctx, { accountId });
const change: Step = async (life, person, random) => {
  const { accountId } = person;
  const priceId = anyPrice(life, random);
  const { previewId } = await previewChange(life.ctx, { accountId, priceId });
  const confirm = async () => {
    const { clientSecret } = await changePlan(life.ctx, { accountId, previewId });
    if (clientSecret) person.secret = clientSecret;
  };
  const clicks = await Promise.allSettled(random(3) === 0 ? [confirm(), confirm()] : [confirm()]);
  for (const click of clicks) if (click.status === 'rejected') throw click.reason;
};
/** Upgrades with a code, of which each account has enough uses. */
const changeWithCode: Step = async (life, person, random) => {
  const { accountId } = person;
  const typed = { code: life.code, ipAddress: '192.0.2.1' };
  const { previewId } = await previewChange(life.ctx, { accountId, priceId: anyPrice(life, random), typed });
  const { clientSecret } = await changePlan(life.ctx, { accountId, previewId });
  if (clientSecret) person.secret = clientSecret;
};
const resume: Step = async ({ ctx }, person, random) => {
  const { accountId } = person;
  const isQuoted = random(2) === 0;
  const quote = isQuoted ? await previewChange(ctx, { accountId, priceId: pick(monthly, random) }) : undefined;
  const { clientSecret } = await resumePlan(ctx, { accountId, previewId: quote?.previewId });
  if (clientSecret) person.secret = clientSecret;
};
const card: Step = async (life, person, random) => {
  const { clientSecret } = await changeCard(life.ctx, person.accountId);
  const [id] = clientSecret.split('_secret_');
  await life.post(`setup_intents/${id}/confirm`, { payment_method: pick(cards, random) }).catch(() => {});
  await life.wait();
  await life.finishCalls();
};
/** Lets the card of later bills be declined. */
const breakCard: Step = async (life, person) => {
  const customerId = await life.findCustomer(person);
  const own = customerId && (await findOwnSubscription(life.db, customerId));
  if (!customerId || !own) return;
  const subscriber = { accountId: person.accountId, customerId, subscriptionId: own.id };
  await life.setCard(subscriber, 'pm_card_chargeCustomerFail').catch(() => {});
};
/** Passes or fails 3-D Secure. */
const authenticate: Step = async (life, person, random) => {
  const customerId = await life.findCustomer(person);
  const intents = customerId ? (await listPayments(life.payments, { customerId })).items : [];
  const waiting = intents.find(({ status }) => status === 'requires_action');
  if (waiting) await life.control(`payment_intents/${waiting.id}/authenticate`, { isPassed: random(3) > 0 });
};
const payOpenBill: Step = async ({ ctx }, person) => {
  const { clientSecret } = await payBill(ctx, person.accountId);
  if (clientSecret) person.secret = clientSecret;
};
/** Refunds a part of a payment or all of it, here or at Stripe. */
const refund: Step = async (life, person, random) => {
  const customerId = await life.findCustomer(person);
  const intents = customerId ? (await listPayments(life.payments, { customerId })).items : [];
  const payment = intents.find(({ received, refunded }) => received > refunded);
  if (!payment) return;
  const rest = payment.received - payment.refunded;
  const amount = random(2) === 0 ? rest : Math.ceil(rest / 3);
  if (random(2) === 0)
    await life.post('refunds', { payment_intent: payment.id, amount: String(amount) }).catch(() => {});
  else {
    const request = { paymentId: payment.id, amount };
    await executeCall(life.ctx, refundKind, { accountId: person.accountId, request });
  }
};
const use: Step = async ({ db }, { accountId }, random) => {
  const count = 1 + random(20);
  const jobs = Array.from({ length: count }, () => ({ id: randomUUID(), meter: 'ai' as const, reason: 'one image' }));
  await db.transaction().execute(async (tx) => {
    const { reserved } = await reserveUnits(tx, { accountId, jobs, acceptPartial: true });
    for (const id of reserved) await settleReservation(tx, id, 'Delivered');
  });
};
const spend =
  (...times: ({ seconds: number } | { until: 'period_end' })[]): Step =>
  async (life, person, random) => {
    const customerId = await life.findCustomer(person);
    if (customerId) await life.spend(person, customerId, pick(times, random));
  };
/** Stripe sends its events: some never arrive, some arrive twice, in any order. */
const deliver: Step = async (life, _, random) => {
  const events = await life.takeEvents();
  const mode = random(3);
  const kept = mode === 0 ? events : events.filter(() => random(3) > 0);
  const all = mode === 1 ? [...kept, ...kept] : kept;
  const order = all.map((event) => ({ event, at: random(1_000) })).toSorted((one, other) => one.at - other.at);
  for (const { event } of mode === 2 ? order : all.map((one) => ({ event: one }))) await life.receive(event);
};
const fail: Step = (life, _, random) =>
  life.control('failures', {
    when: pick(['before', 'after'], random),
    kind: pick(['error', 'reset'], random),
    times: 1 + random(3),
    method: 'POST',
  });
const read: Step = async (life, _, random) => {
  if (random(2) === 0) await life.wait();
  // Several dispatchers.
  await Promise.all([syncNextCustomer(life.ctx), syncNextCustomer(life.ctx), syncNextCustomer(life.ctx)]);
};
const finish: Step = async (life) => {
  await life.removeFailures();
  await life.wait();
  await life.finishCalls();
};

/** What may happen, and how often. */
export const steps: Record<string, [weight: number, run: Step]> = {
  buy: [6, buy()],
  'buy with a code': [3, buy(withCode)],
  'buy on the page of Stripe': [3, buyHosted()],
  'buy with a code on the page of Stripe': [2, buyHosted(withCode)],
  pay: [12, pay],
  'buy a pack': [4, buyPackHosted],
  'pay the pack': [5, payPack],
  refresh: [6, refresh],
  change: [8, change],
  'change with a code': [5, changeWithCode],
  'undo a change': [2, ({ ctx }, { accountId }) => undoChange(ctx, accountId)],
  cancel: [2, ({ ctx }, { accountId }) => cancelPlan(ctx, { accountId, feedback: 'unused' })],
  resume: [4, resume],
  pause: [2, ({ ctx }, { accountId }, random) => pausePlan(ctx, { accountId, months: pick([1, 2, 3], random) })],
  'change the card': [3, card],
  'break the card': [3, breakCard],
  authenticate: [4, authenticate],
  'pay the bill': [3, payOpenBill],
  'get money back': [1, ({ ctx }, { accountId }) => refundPlan(ctx, { accountId })],
  refund: [2, refund],
  'use units': [4, use],
  'spend hours': [4, spend({ seconds: hour / 2 }, { seconds: 2 * hour }, { seconds: day })],
  'spend days': [5, spend({ seconds: 2 * day }, { seconds: 8 * day }, { seconds: 31 * day })],
  'spend a period': [4, spend({ until: 'period_end' })],
  deliver: [8, deliver],
  fail: [3, fail],
  read: [8, read],
  'finish calls': [4, finish],
  'run dunning': [4, ({ ctx }) => Promise.all([runDunning(ctx), runDunning(ctx)])],
  sweep: [3, ({ ctx }) => Promise.all([settleEndedPlans(ctx), closeEndedAllowances(ctx)])],
  pull: [1, ({ ctx }) => pullEvents(ctx, 0)],
  reconcile: [1, ({ ctx }) => reconcileSubscriptions(ctx)],
};
