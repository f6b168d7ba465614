import Stripe from 'stripe';
import * as prices from '../../src/catalog.ts';
import * as products from '../../src/catalog.ts';
import * as coupons from '../../src/coupons.ts';
import * as customers from '../../src/customers.ts';
import * as methods from '../../src/payment-methods.ts';
import * as account from '../../src/stripe-account.ts';
import * as events from '../../src/webhook-events.ts';
import { type ApiCall, after, customerId, keyed, list, origin, originParams, page } from './api-call.ts';
import * as replies from './replies.ts';

export const catalogCalls: Record<string, ApiCall> = {
  createCustomer: {
    run: (payments) => customers.createCustomer(payments, { ...origin, email: 'ann@example.com', name: 'Ann' }),
    request: 'POST /v1/customers',
    params: { email: 'ann@example.com', name: 'Ann', ...originParams },
    reply: replies.customer,
  },
  findCustomer: {
    run: (payments) => customers.findCustomer(payments, customerId),
    request: 'GET /v1/customers/cus_1',
    reply: replies.customer,
  },
  listCustomersByEmail: {
    run: (payments) => customers.listCustomersByEmail(payments, { email: 'ann@example.com', after }),
    request: 'GET /v1/customers',
    params: { email: 'ann@example.com', ...page },
    reply: list(replies.customer),
  },
  updateCustomer: {
    run: (payments) =>
      customers.updateCustomer(payments, {
        ...{ ...keyed, customerId, email: 'b@example.com', paymentMethodId: 'pm_2' },
        address: {
          country: 'US',
          postalCode: '94080',
          company: 'Acme Inc.',
          city: 'San Francisco',
          taxId: '12-3456789',
        },
        collectsTax: true,
      }),
    request: 'POST /v1/customers/cus_1',
    params: {
      'address[country]': 'US',
      'address[postal_code]': '94080',
      'address[line1]': '',
      'address[city]': 'San Francisco',
      name: 'Acme Inc.',
      'invoice_settings[custom_fields][0][name]': 'Tax ID',
      'invoice_settings[custom_fields][0][value]': '12-3456789',
      email: 'b@example.com',
      'invoice_settings[default_payment_method]': 'pm_2',
      'tax[validate_location]': 'immediately',
    },
    reply: replies.customer,
  },
  deleteCustomer: {
    run: (payments) => customers.deleteCustomer(payments, customerId),
    request: 'DELETE /v1/customers/cus_1',
    reply: replies.deletedCustomer,
  },
  createProduct: {
    run: (payments) =>
      products.createProduct(payments, { ...keyed, productId: 'uprez_pro', name: 'Pro', description: 'Pro plan' }),
    request: 'POST /v1/products',
    params: { id: 'uprez_pro', name: 'Pro', description: 'Pro plan', 'metadata[app]': 'uprez' },
    reply: replies.product,
  },
  findProduct: {
    run: (payments) => products.findProduct(payments, 'uprez_pro'),
    request: 'GET /v1/products/uprez_pro',
    reply: replies.product,
  },
  updateProduct: {
    run: (payments) =>
      products.updateProduct(payments, { ...keyed, productId: 'uprez_pro', name: 'Pro', description: 'Pro plan' }),
    request: 'POST /v1/products/uprez_pro',
    params: { name: 'Pro', description: 'Pro plan', active: 'true' },
    reply: replies.product,
  },
  createPrice: {
    run: (payments) =>
      prices.createPrice(payments, {
        ...keyed,
        productId: 'uprez_pro',
        amount: 700,
        currency: 'usd',
        interval: 'month',
        lookupKey: 'uprez_pro_month_v1_700',
        sold: { tier: 'pro', planVersion: 1 },
      }),
    request: 'POST /v1/prices',
    params: {
      product: 'uprez_pro',
      unit_amount: '700',
      currency: 'usd',
      'recurring[interval]': 'month',
      lookup_key: 'uprez_pro_month_v1_700',
      tax_behavior: 'exclusive',
      'metadata[app]': 'uprez',
      'metadata[tier]': 'pro',
      'metadata[version]': '1',
    },
    reply: replies.price,
  },
  listPricesByLookupKey: {
    run: (payments) => prices.listPricesByLookupKey(payments, ['a', 'b']),
    request: 'GET /v1/prices',
    params: { 'lookup_keys[0]': 'a', 'lookup_keys[1]': 'b', limit: '100' },
    reply: list(replies.price),
  },
  listActivePrices: {
    run: (payments) => prices.listActivePrices(payments, { productId: 'uprez_pro', after }),
    request: 'GET /v1/prices',
    params: { product: 'uprez_pro', active: 'true', ...page },
    reply: list(replies.price),
  },
  setPriceActive: {
    run: (payments) => prices.setPriceActive(payments, { ...keyed, priceId: 'price_pro', isActive: false }),
    request: 'POST /v1/prices/price_pro',
    params: { active: 'false' },
    reply: replies.price,
  },
  createCoupon: {
    run: (payments) =>
      coupons.createCoupon(payments, {
        ...keyed,
        couponId: 'uprez_spring',
        name: 'Spring',
        discount: { percent: 25 },
        duration: { kind: 'months', months: 3 },
        productIds: ['uprez_pro'],
      }),
    request: 'POST /v1/coupons',
    params: {
      id: 'uprez_spring',
      name: 'Spring',
      percent_off: '25',
      duration: 'repeating',
      duration_in_months: '3',
      'applies_to[products][0]': 'uprez_pro',
      'metadata[app]': 'uprez',
    },
    reply: replies.coupon,
  },
  findCoupon: {
    run: (payments) => coupons.findCoupon(payments, 'uprez_spring'),
    request: 'GET /v1/coupons/uprez_spring',
    params: { 'expand[0]': 'applies_to' },
    reply: replies.coupon,
  },
  deleteCoupon: {
    run: (payments) => coupons.deleteCoupon(payments, 'uprez_spring'),
    request: 'DELETE /v1/coupons/uprez_spring',
    reply: { id: 'uprez_spring', object: 'coupon', deleted: true } satisfies Stripe.DeletedCoupon,
  },
  createPromotionCode: {
    run: (payments) => coupons.createPromotionCode(payments, { ...keyed, couponId: 'uprez_spring', code: 'SPRING' }),
    request: 'POST /v1/promotion_codes',
    params: {
      'promotion[type]': 'coupon',
      'promotion[coupon]': 'uprez_spring',
      code: 'SPRING',
      'metadata[app]': 'uprez',
    },
    reply: replies.promotionCode,
  },
  setPromotionCodeActive: {
    run: (payments) =>
      coupons.setPromotionCodeActive(payments, { ...keyed, promotionCodeId: 'promo_1', isActive: false }),
    request: 'POST /v1/promotion_codes/promo_1',
    params: { active: 'false' },
    reply: replies.promotionCode,
  },
  listPromotionCodes: {
    run: (payments) => coupons.listPromotionCodes(payments, { couponId: 'uprez_spring', after }),
    request: 'GET /v1/promotion_codes',
    params: { coupon: 'uprez_spring', ...page },
    reply: list(replies.promotionCode),
  },
  listEnabledMethods: {
    run: (payments) => methods.listEnabledMethods(payments),
    request: 'GET /v1/payment_method_configurations',
    params: { limit: '100' },
    reply: list(replies.methodConfiguration),
  },
  getStripeAccount: {
    run: (payments) => account.getStripeAccount(payments),
    request: 'GET /v1/account',
    reply: replies.account,
  },
  createWebhookEndpoint: {
    run: (payments) => account.createWebhookEndpoint(payments, { ...keyed, url: replies.webhookEndpoint.url }),
    request: 'POST /v1/webhook_endpoints',
    params: {
      url: replies.webhookEndpoint.url,
      api_version: Stripe.API_VERSION,
      'metadata[app]': 'uprez',
      ...Object.fromEntries(events.eventTypes.map((type, index) => [`enabled_events[${index}]`, type])),
    },
    reply: replies.webhookEndpoint,
  },
  listWebhookEndpoints: {
    run: (payments) => account.listWebhookEndpoints(payments),
    request: 'GET /v1/webhook_endpoints',
    params: { limit: '100' },
    reply: list(replies.webhookEndpoint),
  },
  deleteWebhookEndpoint: {
    run: (payments) => account.deleteWebhookEndpoint(payments, 'we_1'),
    request: 'DELETE /v1/webhook_endpoints/we_1',
    reply: { id: 'we_1', object: 'webhook_endpoint', deleted: true } satisfies Stripe.DeletedWebhookEndpoint,
  },
  listEvents: {
    run: (payments) => events.listEvents(payments, { since: new Date(replies.created * 1_000), after }),
    request: 'GET /v1/events',
    params: { 'created[gte]': String(replies.created), ...page },
    reply: list(replies.event),
  },
};
