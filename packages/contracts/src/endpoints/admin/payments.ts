import * as z from 'zod';
import {
  adminCancelBodySchema,
  adminLeadSchema,
  adminStripeEventSchema,
  adminSubscriptionSchema,
  adminSubscriptionsExportSchema,
  adminSubscriptionsQuerySchema,
  adminTransactionSchema,
  adminTransactionsExportSchema,
  adminTransactionsQuerySchema,
  inviteLeadBodySchema,
  leadsExportSchema,
  leadsQuerySchema,
  paymentHealthSchema,
  refundBodySchema,
  sendCheckoutLinkBodySchema,
  stripeEventsExportSchema,
  stripeEventsQuerySchema,
} from '../../schemas/billing/admin-payments.ts';
import { defineAdminEndpoints, exportOf } from '../endpoint.ts';

const providerErrors = ['billing_unavailable', 'billing_busy', 'billing_not_configured'] as const;

const changeErrors = ['subscription_not_found', 'subscription_state', ...providerErrors] as const;
const subscription = { answers: { 200: adminSubscriptionSchema } } as const;

export const adminPaymentEndpoints = defineAdminEndpoints({
  adminListSubscriptions: {
    route: 'GET /api/admin/payments/subscriptions',
    permission: 'payments.read',
    query: adminSubscriptionsQuerySchema,
    answers: { 200: z.array(adminSubscriptionSchema) },
  },
  adminExportSubscriptions: {
    route: 'GET /api/admin/payments/subscriptions/export',
    permission: 'payments.read',
    ...exportOf(adminSubscriptionsExportSchema),
  },
  adminCancelSubscription: {
    route: 'POST /api/admin/payments/subscriptions/:id/cancel',
    permission: 'payments.manage',
    ...subscription,
    body: adminCancelBodySchema,
    errors: changeErrors,
  },
  adminRetryInvoice: {
    route: 'POST /api/admin/payments/subscriptions/:id/retry',
    permission: 'payments.manage',
    ...subscription,
    errors: [...changeErrors, 'payment_declined'],
  },
  adminResyncAccount: {
    route: 'POST /api/admin/payments/accounts/:id/resync',
    permission: 'payments.manage',
    answers: { 200: z.array(adminSubscriptionSchema) },
    errors: ['user_not_found', ...providerErrors],
  },
  adminListTransactions: {
    route: 'GET /api/admin/payments/transactions',
    permission: 'payments.read',
    query: adminTransactionsQuerySchema,
    answers: { 200: z.array(adminTransactionSchema) },
  },
  adminExportTransactions: {
    route: 'GET /api/admin/payments/transactions/export',
    permission: 'payments.read',
    ...exportOf(adminTransactionsExportSchema),
  },
  adminRefundTransaction: {
    route: 'POST /api/admin/payments/transactions/:id/refund',
    permission: 'payments.manage',
    stepUp: true,
    body: refundBodySchema,
    answers: { 200: adminTransactionSchema },
    errors: [
      'payment_not_found',
      'own_account',
      'payment_changed',
      'refund_too_large',
      'subscription_state',
      ...providerErrors,
    ],
  },
  adminListStripeEvents: {
    route: 'GET /api/admin/payments/events',
    permission: 'payments.read',
    query: stripeEventsQuerySchema,
    answers: { 200: z.array(adminStripeEventSchema) },
  },
  adminExportStripeEvents: {
    route: 'GET /api/admin/payments/events/export',
    permission: 'payments.read',
    ...exportOf(stripeEventsExportSchema),
  },
  adminRetryStripeEvent: {
    route: 'POST /api/admin/payments/events/:id/retry',
    permission: 'payments.manage',
    answers: { 200: adminStripeEventSchema },
    errors: ['stripe_event_not_found'],
  },
  adminPaymentHealth: {
    route: 'GET /api/admin/payments/health',
    permission: 'payments.read',
    answers: { 200: paymentHealthSchema },
  },
});

const sendErrors = ['billing_not_configured', 'price_not_found', 'already_subscribed', 'rate_limited'] as const;

export const adminLeadEndpoints = defineAdminEndpoints({
  adminListLeads: {
    route: 'GET /api/admin/payments/leads',
    permission: 'leads.read',
    query: leadsQuerySchema,
    answers: { 200: z.array(adminLeadSchema) },
  },
  adminExportLeads: {
    route: 'GET /api/admin/payments/leads/export',
    permission: 'leads.read',
    ...exportOf(leadsExportSchema),
  },
  adminSendCheckoutLink: {
    route: 'POST /api/admin/payments/leads/:id/link',
    permission: 'payments.manage',
    body: sendCheckoutLinkBodySchema,
    answers: { 200: adminLeadSchema },
    errors: ['lead_not_found', ...sendErrors],
  },
  adminInviteLead: {
    route: 'POST /api/admin/payments/leads',
    permission: 'payments.manage',
    body: inviteLeadBodySchema,
    answers: { 200: adminLeadSchema },
    errors: sendErrors,
  },
});
