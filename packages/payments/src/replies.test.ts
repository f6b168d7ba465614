import type Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { invoice, periodEnd, schedule, subscription } from '../test/support/billing-replies.ts';
import { type FakeStripe, openFakeStripe } from '../test/support/open-fake-stripe.ts';
import { dispute, paymentIntent } from '../test/support/payment-replies.ts';
import {
  account,
  coupon,
  created,
  customer,
  deletedCustomer,
  listOf,
  methodConfiguration,
  paymentMethod,
  price,
  webhookEndpoint,
} from '../test/support/replies.ts';
import { listActivePrices } from './catalog.ts';
import { findCoupon } from './coupons.ts';
import { findCustomer } from './customers.ts';
import { getInvoice, getInvoicePdfUrl, listInvoices } from './invoices.ts';
import { getPayment } from './payment-intents.ts';
import { listEnabledMethods } from './payment-methods.ts';
import { listDisputes } from './refunds.ts';
import { createWebhookEndpoint, getStripeAccount } from './stripe-account.ts';
import { getSchedule } from './subscription-schedules.ts';
import { getSubscription, listSubscriptions } from './subscriptions.ts';

const start = new Date(created * 1_000);
const end = new Date(periodEnd * 1_000);

let stripe: FakeStripe;
beforeAll(async () => {
  stripe = await openFakeStripe();
});
afterAll(() => stripe.close());

function respond(body: unknown) {
  stripe.reply({ body });
  return stripe.payments;
}

describe('subscriptions', () => {
  it('has dates, cents, and the price', async () => {
    expect(await getSubscription(respond(subscription), 'sub_1')).toEqual({
      subscription: {
        id: 'sub_1',
        customerId: 'cus_1',
        status: 'active',
        currency: 'usd',
        itemId: 'si_1',
        price: {
          id: 'price_pro',
          productId: 'uprez_pro',
          isActive: true,
          amount: 700,
          currency: 'usd',
          interval: 'month',
          lookupKey: 'uprez_pro_month_v1_700',
          isOurs: true,
          tier: 'pro',
          planVersion: 1,
          pack: null,
        },
        periodStart: start,
        periodEnd: end,
        anchor: start,
        cancelAt: null,
        cancelsAtPeriodEnd: false,
        cancelFeedback: null,
        cancelReason: null,
        isPaused: false,
        pausedUntil: null,
        scheduleId: null,
        next: null,
        pending: null,
        paymentMethodId: 'pm_1',
        paymentMethodType: null,
        card: null,
        discounts: [],
        latestInvoiceId: 'in_1',
        collectsTax: false,
        createdAt: start,
        endedAt: null,
        accountId: 'acc_1',
        callId: 'call_1',
      },
      clientSecret: null,
    });
  });

  it('has the card, the scheduled price, a pause, discounts, and a pending upgrade', async () => {
    const [item] = subscription.items.data;
    const discount: Stripe.Discount = {
      id: 'di_1',
      object: 'discount',
      checkout_session: null,
      customer: 'cus_1',
      customer_account: null,
      end: null,
      invoice: null,
      invoice_item: null,
      promotion_code: null,
      source: { coupon: 'uprez_spring', type: 'coupon' },
      start: created,
      subscription: 'sub_1',
      subscription_item: null,
    };
    const body = {
      ...subscription,
      default_payment_method: paymentMethod,
      schedule,
      discounts: [discount],
      pause_collection: { behavior: 'void', resumes_at: periodEnd },
      pending_update: {
        billing_cycle_anchor: created,
        cancel_at_period_end: null,
        discount: null,
        discounts: null,
        expires_at: periodEnd,
        metadata: null,
        subscription_items: item ? [{ ...item, price: { ...price, id: 'price_api' } }] : null,
        trial_end: null,
        trial_from_plan: null,
      },
    } satisfies Stripe.Subscription;
    const { items, next } = await listSubscriptions(respond(listOf([body], true)), {});
    expect(next).toBe('sub_1');
    expect(items[0]).toMatchObject({
      card: { brand: 'visa', last4: '4242', expiryMonth: 12, expiryYear: 2030 },
      paymentMethodId: 'pm_1',
      paymentMethodType: 'card',
      scheduleId: 'sub_sched_1',
      next: { priceId: 'price_pro', startsAt: end },
      isPaused: true,
      pausedUntil: end,
      discounts: [{ id: 'di_1', couponId: 'uprez_spring', endsAt: null }],
      pending: { priceId: 'price_api', expiresAt: end },
    });
  });

  it('has the client secret of an open invoice, else of a setup intent', async () => {
    const secret = { client_secret: 'pi_1_secret_x', type: 'payment_intent' };
    const withInvoice = (status: string) => ({
      ...subscription,
      latest_invoice: { ...invoice, status, confirmation_secret: secret },
    });
    expect((await getSubscription(respond(withInvoice('open')), 'sub_1')).clientSecret).toEqual({
      kind: 'payment',
      value: 'pi_1_secret_x',
    });
    expect((await getSubscription(respond(withInvoice('paid')), 'sub_1')).clientSecret).toBeNull();
    const withSetup = {
      ...withInvoice('paid'),
      pending_setup_intent: { id: 'setup_1', client_secret: 'setup_1_secret_x' },
    };
    expect((await getSubscription(respond(withSetup), 'sub_1')).clientSecret).toEqual({
      kind: 'setup',
      value: 'setup_1_secret_x',
    });
  });

  it('reads a status that Stripe adds later as `other`', async () => {
    const { subscription: read } = await getSubscription(respond({ ...subscription, status: 'frozen' }), 'sub_1');
    expect(read.status).toBe('other');
  });

  it('prefers our item in a subscription with several', async () => {
    const [item] = subscription.items.data;
    const foreign = { ...item, id: 'si_0', price: { ...price, metadata: {}, unit_amount: null } };
    const body = { ...subscription, items: listOf([foreign, item]) };
    expect((await getSubscription(respond(body), 'sub_1')).subscription.itemId).toBe('si_1');
  });

  it('has the current and the next phase of a schedule', async () => {
    expect(await getSchedule(respond(schedule), 'sub_sched_1')).toMatchObject({
      status: 'active',
      currentPhase: { priceId: 'price_api', startsAt: start, endsAt: end, discounts: [{ discountId: 'di_1' }] },
      nextPhase: { priceId: 'price_pro', startsAt: end },
    });
  });
});

describe('invoices', () => {
  it('has amounts that add up, its lines, and its payment', async () => {
    const { items } = await listInvoices(respond(listOf([invoice])), { customerId: 'cus_1' });
    const [read] = items;
    expect(read).toMatchObject({
      subscriptionId: 'sub_1',
      status: 'paid',
      reason: 'subscription_update',
      subtotal: 4_200,
      discount: 490,
      tax: 371,
      total: 4_081,
      due: 3_781,
      paid: 3_781,
      startingBalance: -300,
      paidAt: start,
      nextAttemptAt: null,
      hasMoreLines: false,
      paymentIntentIds: ['pi_1'],
    });
    expect(read?.lines).toMatchObject([
      { amount: -700, priceId: 'price_pro', isProration: true, discount: 0, tax: 0 },
      { amount: 4_900, priceId: 'price_api_pro', isProration: false, discount: 490, tax: 371, period: { start, end } },
    ]);
    if (!read) throw new Error('no invoice');
    expect(read.subtotal - read.discount + read.tax).toBe(read.total);
    expect(read.lines.reduce((sum, line) => sum + line.amount, 0)).toBe(read.subtotal);
  });

  it('has a client secret only while it is open', async () => {
    const secret = { client_secret: 'pi_1_secret_x', type: 'payment_intent' };
    const open = { ...invoice, status: 'open', confirmation_secret: secret } satisfies Stripe.Invoice;
    expect((await getInvoice(respond(open), 'in_1')).clientSecret).toBe('pi_1_secret_x');
    expect((await getInvoice(respond({ ...open, status: 'void' }), 'in_1')).clientSecret).toBeNull();
  });

  it('has the URL of its PDF, null for drafts', async () => {
    expect(await getInvoicePdfUrl(respond(invoice), 'in_1')).toBe('https://pay.stripe.com/invoice/1/pdf');
    expect(await getInvoicePdfUrl(respond({ ...invoice, invoice_pdf: null }), 'in_1')).toBeNull();
  });

  it.each([
    ['a fraction of a cent', { total: 1.5 }],
    ['an unknown status', { status: 'frozen' }],
    ['no currency', { currency: null }],
  ])('throws for %s', async (_case, change) => {
    await expect(getInvoice(respond({ ...invoice, ...change }), 'in_1')).rejects.toMatchObject({
      kind: 'unexpected_reply',
    });
  });
});

describe('payments', () => {
  it('has what was refunded, the method, and the refunds', async () => {
    expect(await getPayment(respond(paymentIntent), 'pi_1')).toMatchObject({
      status: 'succeeded',
      received: 3_781,
      refunded: 500,
      method: 'card',
      failure: null,
      refunds: [{ id: 're_1', amount: 500, status: 'succeeded', callId: 'call_1' }],
    });
  });

  it('has the reason of a failure', async () => {
    const failed = {
      ...paymentIntent,
      status: 'requires_payment_method',
      latest_charge: null,
      last_payment_error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'do_not_honor',
        message: 'Declined.',
      },
    } satisfies Stripe.PaymentIntent;
    expect(await getPayment(respond(failed), 'pi_1')).toMatchObject({
      refunded: 0,
      method: null,
      failure: { code: 'card_declined', declineCode: 'do_not_honor', message: 'Declined.' },
    });
  });

  it('has the outcome of a dispute', async () => {
    const { items } = await listDisputes(
      respond(listOf([dispute, { ...dispute, status: 'needs_response' } satisfies Stripe.Dispute])),
      { paymentIntentId: 'pi_1' },
    );
    expect(items.map(({ outcome }) => outcome)).toEqual(['lost', 'open']);
  });
});

describe('catalog and account', () => {
  it('reads prices of other products without a tier', async () => {
    const foreign = {
      ...price,
      metadata: {},
      unit_amount: null,
      recurring: { ...price.recurring, interval: 'week' },
    } satisfies Stripe.Price;
    const { items } = await listActivePrices(respond(listOf([foreign])), { productId: 'other' });
    expect(items[0]).toMatchObject({ isOurs: false, tier: null, planVersion: null, amount: null, interval: 'other' });
  });

  it('reads the duration of a coupon, and throws without a discount', async () => {
    expect(await findCoupon(respond(coupon), 'uprez_spring')).toEqual({
      id: 'uprez_spring',
      name: 'Spring',
      discount: { percent: 25 },
      duration: { kind: 'months', months: 3 },
      isValid: true,
      productIds: [],
    });
    await expect(findCoupon(respond({ ...coupon, percent_off: null }), 'uprez_spring')).rejects.toMatchObject({
      kind: 'unexpected_reply',
    });
  });

  it('returns undefined for deleted and missing customers', async () => {
    expect(await findCustomer(respond(customer), 'cus_1')).toMatchObject({ balance: -300, paymentMethodId: 'pm_1' });
    expect(await findCustomer(respond(deletedCustomer), 'cus_1')).toBeUndefined();
    stripe.reply({ status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing' } } });
    expect(await findCustomer(stripe.payments, 'cus_1')).toBeUndefined();
  });

  it('lists methods that are available and on', async () => {
    expect(await listEnabledMethods(respond(listOf([methodConfiguration])))).toEqual(['card', 'paypal']);
  });

  it('has the account, the mode, and the secret of a new endpoint', async () => {
    expect(await getStripeAccount(respond(account))).toEqual({
      id: 'acct_1',
      country: 'US',
      defaultCurrency: 'usd',
      canCharge: true,
      mode: 'test',
    });
    const input = { url: webhookEndpoint.url, idempotencyKey: 'sync:1' };
    expect(await createWebhookEndpoint(respond(webhookEndpoint), input)).toMatchObject({ secret: 'whsec_new' });
  });
});
