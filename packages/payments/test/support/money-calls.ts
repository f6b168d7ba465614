import type Stripe from 'stripe';
import * as invoices from '../../src/invoices.ts';
import * as intents from '../../src/payment-intents.ts';
import * as methods from '../../src/payment-methods.ts';
import * as previews from '../../src/previews.ts';
import * as refunds from '../../src/refunds.ts';
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
import { invoice } from './billing-replies.ts';
import { dispute, paymentIntent, refund } from './payment-replies.ts';
import { paymentMethod, setupIntent } from './replies.ts';

const preview = { ...invoice, id: 'upcoming_in_1', status: 'draft', number: null } satisfies Stripe.Invoice;

export const moneyCalls: Record<string, ApiCall> = {
  previewSubscription: {
    run: (payments) =>
      previews.previewSubscription(payments, {
        ...keyed,
        customerId,
        priceId: 'price_pro',
        promotionCodeId: 'promo_1',
        collectsTax: true,
      }),
    request: 'POST /v1/invoices/create_preview',
    params: {
      customer: 'cus_1',
      'subscription_details[items][0][price]': 'price_pro',
      'subscription_details[billing_mode][type]': 'flexible',
      'discounts[0][promotion_code]': 'promo_1',
      'automatic_tax[enabled]': 'true',
    },
    reply: preview,
  },
  previewUpgrade: {
    run: (payments) =>
      previews.previewUpgrade(payments, {
        ...keyed,
        subscriptionId: 'sub_1',
        itemId: 'si_1',
        priceId: 'price_api',
        prorationDate,
        code: { promotionCodeId: 'promo_1', keptDiscountIds: [] },
      }),
    request: 'POST /v1/invoices/create_preview',
    params: {
      subscription: 'sub_1',
      'subscription_details[items][0][id]': 'si_1',
      'subscription_details[items][0][price]': 'price_api',
      'subscription_details[billing_cycle_anchor][type]': 'now',
      'subscription_details[proration_behavior]': 'always_invoice',
      'subscription_details[proration_date]': prorationParam,
      'discounts[0][promotion_code]': 'promo_1',
    },
    reply: preview,
  },
  previewRestart: {
    run: (payments) =>
      previews.previewRestart(payments, { ...keyed, subscriptionId: 'sub_1', itemId: 'si_1', priceId: 'price_api' }),
    request: 'POST /v1/invoices/create_preview',
    params: {
      subscription: 'sub_1',
      'subscription_details[items][0][id]': 'si_1',
      'subscription_details[items][0][price]': 'price_api',
      'subscription_details[billing_cycle_anchor][type]': 'now',
      'subscription_details[proration_behavior]': 'none',
    },
    reply: preview,
  },
  previewRenewal: {
    run: (payments) => previews.previewRenewal(payments, { ...keyed, subscriptionId: 'sub_1' }),
    request: 'POST /v1/invoices/create_preview',
    params: { subscription: 'sub_1' },
    reply: preview,
  },
  createSetupIntent: {
    run: (payments) => methods.createSetupIntent(payments, { ...origin, customerId }),
    request: 'POST /v1/setup_intents',
    params: { customer: 'cus_1', usage: 'off_session', ...originParams },
    reply: setupIntent,
  },
  getSetupIntent: {
    run: (payments) => methods.getSetupIntent(payments, 'setup_1'),
    request: 'GET /v1/setup_intents/setup_1',
    reply: setupIntent,
  },
  getPaymentMethod: {
    run: (payments) => methods.getPaymentMethod(payments, 'pm_1'),
    request: 'GET /v1/payment_methods/pm_1',
    reply: paymentMethod,
  },
  listPaymentMethods: {
    run: (payments) => methods.listPaymentMethods(payments, { customerId, after }),
    request: 'GET /v1/customers/cus_1/payment_methods',
    params: page,
    reply: list(paymentMethod),
  },
  listInvoices: {
    run: (payments) => invoices.listInvoices(payments, { customerId, after }),
    request: 'GET /v1/invoices',
    params: { customer: 'cus_1', 'expand[0]': 'data.payments', ...page },
    reply: list(invoice),
  },
  getInvoice: {
    run: (payments) => invoices.getInvoice(payments, 'in_1'),
    request: 'GET /v1/invoices/in_1',
    params: { 'expand[0]': 'confirmation_secret', 'expand[1]': 'payments' },
    reply: invoice,
  },
  payInvoice: {
    run: (payments) => invoices.payInvoice(payments, { ...keyed, invoiceId: 'in_1', paymentMethodId: 'pm_2' }),
    request: 'POST /v1/invoices/in_1/pay',
    params: { payment_method: 'pm_2' },
    reply: invoice,
  },
  stopDraft: {
    run: (payments) => invoices.stopDraft(payments, { ...keyed, invoiceId: 'in_1' }),
    request: 'POST /v1/invoices/in_1',
    params: { auto_advance: 'false' },
    reply: { ...invoice, status: 'draft' } satisfies Stripe.Invoice,
  },
  voidInvoice: {
    run: (payments) => invoices.voidInvoice(payments, { ...keyed, invoiceId: 'in_1' }),
    request: 'POST /v1/invoices/in_1/void',
    reply: { ...invoice, status: 'void' } satisfies Stripe.Invoice,
  },
  getInvoicePdfUrl: {
    run: (payments) => invoices.getInvoicePdfUrl(payments, 'in_1'),
    request: 'GET /v1/invoices/in_1',
    reply: invoice,
  },
  getPayment: {
    run: (payments) => intents.getPayment(payments, 'pi_1'),
    request: 'GET /v1/payment_intents/pi_1',
    params: { 'expand[0]': 'latest_charge', 'expand[1]': 'latest_charge.refunds' },
    reply: paymentIntent,
  },
  listPayments: {
    run: (payments) => intents.listPayments(payments, { customerId, after }),
    request: 'GET /v1/payment_intents',
    params: {
      customer: 'cus_1',
      'expand[0]': 'data.latest_charge',
      'expand[1]': 'data.latest_charge.refunds',
      ...page,
    },
    reply: list(paymentIntent),
  },
  createRefund: {
    run: (payments) => refunds.createRefund(payments, { ...origin, paymentIntentId: 'pi_1', amount: 500 }),
    request: 'POST /v1/refunds',
    params: { payment_intent: 'pi_1', amount: '500', reason: 'requested_by_customer', ...originParams },
    reply: refund,
  },
  listRefunds: {
    run: (payments) => refunds.listRefunds(payments, { paymentIntentId: 'pi_1', after }),
    request: 'GET /v1/refunds',
    params: { payment_intent: 'pi_1', ...page },
    reply: list(refund),
  },
  listDisputes: {
    run: (payments) => refunds.listDisputes(payments, { paymentIntentId: 'pi_1', after }),
    request: 'GET /v1/disputes',
    params: { payment_intent: 'pi_1', ...page },
    reply: list(dispute),
  },
};
