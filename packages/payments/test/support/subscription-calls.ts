import type Stripe from 'stripe';
import * as checkout from '../../src/checkout-sessions.ts';
import * as changes from '../../src/subscription-changes.ts';
import * as schedules from '../../src/subscription-schedules.ts';
import * as subscriptions from '../../src/subscriptions.ts';
import {
  type ApiCall,
  after,
  customerId,
  keyed,
  list,
  origin,
  originParams,
  page,
  prorationDate,
  prorationParam,
} from './api-call.ts';
import { periodEnd, schedule, subscription } from './billing-replies.ts';
import { checkoutSession } from './payment-replies.ts';
import { created } from './replies.ts';

const onSubscription = { subscriptionId: 'sub_1', ...keyed };
const confirmationParams = { 'expand[0]': 'latest_invoice.confirmation_secret', 'expand[1]': 'pending_setup_intent' };

export const subscriptionCalls: Record<string, ApiCall> = {
  createCheckoutSession: {
    run: (payments) =>
      checkout.createCheckoutSession(payments, {
        ...origin,
        mode: 'subscription',
        customerId,
        priceId: 'price_pro',
        promotionCodeId: 'promo_1',
        publicUrl: 'https://uprez.example',
        expiresAt: new Date(periodEnd * 1_000),
        collectsTax: true,
      }),
    request: 'POST /v1/checkout/sessions',
    params: {
      mode: 'subscription',
      customer: 'cus_1',
      'line_items[0][price]': 'price_pro',
      'line_items[0][quantity]': '1',
      success_url: 'https://uprez.example/dashboard?checkout={CHECKOUT_SESSION_ID}',
      cancel_url: 'https://uprez.example/pricing',
      ...originParams,
      'subscription_data[billing_mode][type]': 'flexible',
      'subscription_data[metadata][app]': 'uprez',
      'subscription_data[metadata][account]': 'acc_1',
      'subscription_data[metadata][call]': 'call_1',
      'discounts[0][promotion_code]': 'promo_1',
      expires_at: String(periodEnd),
      'automatic_tax[enabled]': 'true',
      billing_address_collection: 'required',
      'customer_update[address]': 'auto',
      'customer_update[name]': 'auto',
      'tax_id_collection[enabled]': 'true',
    },
    reply: checkoutSession,
  },
  getCheckoutSession: {
    run: (payments) => checkout.getCheckoutSession(payments, 'cs_test_1'),
    request: 'GET /v1/checkout/sessions/cs_test_1',
    reply: checkoutSession,
  },
  listCheckoutSessions: {
    run: (payments) => checkout.listCheckoutSessions(payments, { customerId, after }),
    request: 'GET /v1/checkout/sessions',
    params: { customer: 'cus_1', ...page },
    reply: list(checkoutSession),
  },
  expireCheckoutSession: {
    run: (payments) => checkout.expireCheckoutSession(payments, { ...keyed, sessionId: 'cs_test_1' }),
    request: 'POST /v1/checkout/sessions/cs_test_1/expire',
    reply: { ...checkoutSession, status: 'expired', url: null } satisfies Stripe.Checkout.Session,
  },
  createSubscription: {
    run: (payments) =>
      subscriptions.createSubscription(payments, {
        ...origin,
        customerId,
        priceId: 'price_pro',
        promotionCodeId: 'promo_1',
        collectsTax: true,
      }),
    request: 'POST /v1/subscriptions',
    params: {
      customer: 'cus_1',
      'items[0][price]': 'price_pro',
      payment_behavior: 'default_incomplete',
      'billing_mode[type]': 'flexible',
      'payment_settings[save_default_payment_method]': 'on_subscription',
      'discounts[0][promotion_code]': 'promo_1',
      'automatic_tax[enabled]': 'true',
      ...originParams,
      ...confirmationParams,
    },
    reply: subscription,
  },
  getSubscription: {
    run: (payments) => subscriptions.getSubscription(payments, 'sub_1'),
    request: 'GET /v1/subscriptions/sub_1',
    params: {
      'expand[0]': 'default_payment_method',
      'expand[1]': 'schedule',
      'expand[2]': 'discounts',
      'expand[3]': 'latest_invoice.confirmation_secret',
      'expand[4]': 'pending_setup_intent',
    },
    reply: subscription,
  },
  listSubscriptions: {
    run: (payments) => subscriptions.listSubscriptions(payments, { customerId, after }),
    request: 'GET /v1/subscriptions',
    params: {
      status: 'all',
      customer: 'cus_1',
      'expand[0]': 'data.default_payment_method',
      'expand[1]': 'data.schedule',
      'expand[2]': 'data.discounts',
      ...page,
    },
    reply: list(subscription),
  },
  upgradeSubscription: {
    run: (payments) =>
      changes.upgradeSubscription(payments, {
        ...onSubscription,
        itemId: 'si_1',
        priceId: 'price_api',
        prorationDate,
        code: { promotionCodeId: 'promo_1', keptDiscountIds: ['di_1'] },
      }),
    request: 'POST /v1/subscriptions/sub_1',
    params: {
      'items[0][id]': 'si_1',
      'items[0][price]': 'price_api',
      'billing_cycle_anchor[type]': 'now',
      proration_behavior: 'always_invoice',
      proration_date: prorationParam,
      payment_behavior: 'pending_if_incomplete',
      'discounts[0][discount]': 'di_1',
      'discounts[1][promotion_code]': 'promo_1',
      ...confirmationParams,
    },
    reply: subscription,
  },
  cancelAtPeriodEnd: {
    run: (payments) => changes.cancelAtPeriodEnd(payments, { ...onSubscription, feedback: 'unused', comment: 'Bye' }),
    request: 'POST /v1/subscriptions/sub_1',
    params: {
      cancel_at_period_end: 'true',
      'cancellation_details[feedback]': 'unused',
      'cancellation_details[comment]': 'Bye',
    },
    reply: subscription,
  },
  keepSubscription: {
    run: (payments) => changes.keepSubscription(payments, onSubscription),
    request: 'POST /v1/subscriptions/sub_1',
    params: {
      cancel_at_period_end: 'false',
      'cancellation_details[feedback]': '',
      'cancellation_details[comment]': '',
    },
    reply: subscription,
  },
  cancelNow: {
    run: (payments) => changes.cancelNow(payments, { subscriptionId: 'sub_1' }),
    request: 'DELETE /v1/subscriptions/sub_1',
    params: { invoice_now: 'false', prorate: 'false' },
    reply: { ...subscription, status: 'canceled', ended_at: created } satisfies Stripe.Subscription,
  },
  pauseSubscription: {
    run: (payments) =>
      changes.pauseSubscription(payments, { ...onSubscription, resumesAt: new Date(periodEnd * 1_000) }),
    request: 'POST /v1/subscriptions/sub_1',
    params: { 'pause_collection[behavior]': 'void', 'pause_collection[resumes_at]': String(periodEnd) },
    reply: subscription,
  },
  clearPause: {
    run: (payments) => changes.clearPause(payments, onSubscription),
    request: 'POST /v1/subscriptions/sub_1',
    params: { pause_collection: '' },
    reply: subscription,
  },
  restartBillingCycle: {
    run: (payments) =>
      changes.restartBillingCycle(payments, { ...onSubscription, itemId: 'si_1', priceId: 'price_api' }),
    request: 'POST /v1/subscriptions/sub_1',
    params: {
      'items[0][id]': 'si_1',
      'items[0][price]': 'price_api',
      'billing_cycle_anchor[type]': 'now',
      proration_behavior: 'none',
      payment_behavior: 'pending_if_incomplete',
      ...confirmationParams,
    },
    reply: subscription,
  },
  setPaymentMethod: {
    run: (payments) => changes.setPaymentMethod(payments, { ...onSubscription, paymentMethodId: 'pm_2' }),
    request: 'POST /v1/subscriptions/sub_1',
    params: { default_payment_method: 'pm_2' },
    reply: subscription,
  },
  createSchedule: {
    run: (payments) => schedules.createSchedule(payments, onSubscription),
    request: 'POST /v1/subscription_schedules',
    params: { from_subscription: 'sub_1' },
    reply: schedule,
  },
  getSchedule: {
    run: (payments) => schedules.getSchedule(payments, 'sub_sched_1'),
    request: 'GET /v1/subscription_schedules/sub_sched_1',
    reply: schedule,
  },
  setNextPrice: {
    run: (payments) =>
      schedules.setNextPrice(payments, {
        ...keyed,
        schedule: {
          id: 'sub_sched_1',
          currentPhase: {
            startsAt: new Date(created * 1_000),
            endsAt: new Date(periodEnd * 1_000),
            priceId: 'price_api',
            discounts: [{ discountId: 'di_1', couponId: 'uprez_spring', promotionCodeId: null }],
          },
        },
        nextPriceId: 'price_pro',
        nextInterval: 'month',
      }),
    request: 'POST /v1/subscription_schedules/sub_sched_1',
    params: {
      end_behavior: 'release',
      proration_behavior: 'none',
      'phases[0][items][0][price]': 'price_api',
      'phases[0][items][0][quantity]': '1',
      'phases[0][start_date]': String(created),
      'phases[0][end_date]': String(periodEnd),
      'phases[0][proration_behavior]': 'none',
      'phases[0][discounts][0][discount]': 'di_1',
      'phases[1][items][0][price]': 'price_pro',
      'phases[1][items][0][quantity]': '1',
      'phases[1][duration][interval]': 'month',
      'phases[1][duration][interval_count]': '1',
      'phases[1][proration_behavior]': 'none',
      'phases[1][discounts][0][discount]': 'di_1',
      'metadata[app]': 'uprez',
    },
    reply: schedule,
  },
  releaseSchedule: {
    run: (payments) => schedules.releaseSchedule(payments, { ...keyed, scheduleId: 'sub_sched_1' }),
    request: 'POST /v1/subscription_schedules/sub_sched_1/release',
    reply: { ...schedule, status: 'released', current_phase: null } satisfies Stripe.SubscriptionSchedule,
  },
};
