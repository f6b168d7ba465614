import * as z from 'zod';
import {
  billingConfigSchema,
  billingResultSchema,
  billingSchema,
  cancelSubscriptionBodySchema,
  changePlanBodySchema,
  changePreviewSchema,
  clientSecretSchema,
  createCheckoutSessionBodySchema,
  createSubscriptionBodySchema,
  createSubscriptionSchema,
  hostedPageSchema,
  invoicesQuerySchema,
  invoicesSchema,
  pauseSubscriptionBodySchema,
  previewChangeBodySchema,
  refreshBillingBodySchema,
  resumeSubscriptionBodySchema,
} from '../schemas/billing/billing.ts';
import { couponUseErrors } from './coupons.ts';
import { bytesSchema, defineEndpoints, emptySchema } from './endpoint.ts';

const providerErrors = ['billing_unavailable', 'billing_busy', 'billing_not_configured'] as const;
const purchaseErrors = [
  ...(['email_unverified', 'price_not_found', 'already_subscribed', 'subscription_state'] as const),
  ...couponUseErrors,
  ...providerErrors,
] as const;
const changeErrors = ['no_subscription', 'payment_due', 'subscription_state', ...providerErrors] as const;
const paymentErrors = ['payment_declined'] as const;
const couponCodeErrors = [...couponUseErrors, 'coupon_scheduled'] as const;
const billing = { answers: { 200: billingSchema } } as const;

export const billingEndpoints = {
  ...defineEndpoints('none', {
    // Has no `body` schema, because the endpoint reads the raw bytes to verify Stripe's signature.
    stripeWebhook: {
      route: 'POST /api/stripe/webhook',
      answers: { 200: z.object({ received: z.literal(true) }) },
      errors: ['bad_signature', 'malformed_body', 'file_too_large', 'not_found'],
    },
  }),
  ...defineEndpoints('session', {
    createCheckoutSession: {
      route: 'POST /api/create-checkout-session',
      body: createCheckoutSessionBodySchema,
      answers: { 200: hostedPageSchema },
      errors: purchaseErrors,
      charges: true,
    },
    createSubscription: {
      route: 'POST /api/create-subscription',
      body: createSubscriptionBodySchema,
      answers: { 200: createSubscriptionSchema },
      errors: [...purchaseErrors, 'billing_address_invalid'],
      charges: true,
    },
    billingConfig: {
      route: 'GET /api/billing/config',
      answers: { 200: billingConfigSchema },
      errors: ['billing_not_configured'],
    },
    billing: { route: 'GET /api/billing', ...billing },
    refreshBilling: {
      route: 'POST /api/billing/refresh',
      ...billing,
      body: refreshBillingBodySchema,
      errors: providerErrors,
    },
    previewChange: {
      route: 'POST /api/billing/preview',
      body: previewChangeBodySchema,
      answers: { 200: changePreviewSchema },
      errors: ['price_not_found', ...couponCodeErrors, ...changeErrors],
    },
    changePlan: {
      route: 'POST /api/billing/change',
      body: changePlanBodySchema,
      answers: { 200: billingResultSchema },
      errors: [
        'price_not_found',
        'preview_changed',
        'email_unverified',
        ...couponCodeErrors,
        ...changeErrors,
        ...paymentErrors,
      ],
      charges: true,
    },
    undoChange: { route: 'DELETE /api/billing/change', ...billing, errors: changeErrors },
    cancelSubscription: {
      route: 'POST /api/billing/cancel',
      ...billing,
      body: cancelSubscriptionBodySchema,
      errors: changeErrors,
    },
    refundSubscription: {
      route: 'POST /api/billing/refund',
      ...billing,
      body: cancelSubscriptionBodySchema,
      errors: ['money_back_over', ...changeErrors],
    },
    resumeSubscription: {
      route: 'POST /api/billing/resume',
      body: resumeSubscriptionBodySchema,
      answers: { 200: billingResultSchema },
      errors: ['preview_changed', ...couponUseErrors, ...changeErrors, ...paymentErrors],
      charges: true,
    },
    pauseSubscription: {
      route: 'POST /api/billing/pause',
      ...billing,
      body: pauseSubscriptionBodySchema,
      errors: changeErrors,
    },
    changeCard: {
      route: 'POST /api/billing/payment-method',
      answers: { 200: clientSecretSchema },
      errors: ['no_subscription', ...providerErrors],
    },
    payInvoice: {
      route: 'POST /api/billing/pay',
      answers: { 200: billingResultSchema },
      errors: ['no_subscription', 'subscription_state', ...providerErrors, ...paymentErrors],
      charges: true,
    },
    listInvoices: { route: 'GET /api/billing/invoices', query: invoicesQuerySchema, answers: { 200: invoicesSchema } },
    exportInvoices: { route: 'GET /api/billing/invoices.csv', answers: { 200: bytesSchema } },
    downloadInvoice: {
      route: 'GET /api/billing/invoices/:id/pdf',
      answers: { 302: emptySchema },
      errors: ['invoice_not_found', ...providerErrors],
    },
  }),
};
