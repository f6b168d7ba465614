import * as z from 'zod';
import {
  adminCancelBodySchema,
  adminStripeEventSchema,
  adminSubscriptionSchema,
  adminSubscriptionsExportSchema,
  adminSubscriptionsQuerySchema,
  adminTransactionSchema,
  adminTransactionsExportSchema,
  adminTransactionsQuerySchema,
  paymentHealthSchema,
  refundBodySchema,
  stripeEventsExportSchema,
  stripeEventsQuerySchema,
} from '../../schemas/billing/admin-payments.ts';
import { bytes, defineAdminEndpoints, idParams } from '../endpoint.ts';

/** Errors of calls that reach Stripe. */
const provider = ['billing_unavailable', 'billing_busy', 'billing_not_configured'] as const;

const change = ['subscription_not_found', 'subscription_state', ...provider] as const;
const subscription = { params: idParams, answers: { 200: adminSubscriptionSchema } } as const;

/** Administration of billing. */
export const adminPaymentEndpoints = defineAdminEndpoints({
  adminListSubscriptions: {
    permission: 'payments.read',
    query: adminSubscriptionsQuerySchema,
    answers: { 200: z.array(adminSubscriptionSchema) },
  },
  adminExportSubscriptions: {
    permission: 'payments.read',
    query: adminSubscriptionsExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminCancelSubscription: {
    permission: 'payments.manage',
    ...subscription,
    body: adminCancelBodySchema,
    errors: change,
  },
  adminRetryInvoice: { permission: 'payments.manage', ...subscription, errors: [...change, 'payment_declined'] },
  adminResyncAccount: {
    permission: 'payments.manage',
    params: idParams,
    answers: { 200: z.array(adminSubscriptionSchema) },
    errors: ['user_not_found', ...provider],
  },
  adminListTransactions: {
    permission: 'payments.read',
    query: adminTransactionsQuerySchema,
    answers: { 200: z.array(adminTransactionSchema) },
  },
  adminExportTransactions: {
    permission: 'payments.read',
    query: adminTransactionsExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminRefundTransaction: {
    permission: 'payments.manage',
    stepUp: true,
    params: idParams,
    body: refundBodySchema,
    answers: { 200: adminTransactionSchema },
    errors: [
      'payment_not_found',
      'own_account',
      'payment_changed',
      'refund_too_large',
      'subscription_state',
      ...provider,
    ],
  },
  adminListStripeEvents: {
    permission: 'payments.read',
    query: stripeEventsQuerySchema,
    answers: { 200: z.array(adminStripeEventSchema) },
  },
  adminExportStripeEvents: {
    permission: 'payments.read',
    query: stripeEventsExportSchema,
    answers: { 200: bytes },
    errors: ['export_too_large'],
  },
  adminRetryStripeEvent: {
    permission: 'payments.manage',
    params: idParams,
    answers: { 200: adminStripeEventSchema },
    errors: ['stripe_event_not_found'],
  },
  adminPaymentHealth: { permission: 'payments.read', answers: { 200: paymentHealthSchema } },
});
