/** Administration of billing. */
export const adminPaymentRoutes = {
  adminListSubscriptions: { method: 'GET', path: '/api/admin/payments/subscriptions' },
  adminExportSubscriptions: { method: 'GET', path: '/api/admin/payments/subscriptions/export' },
  adminCancelSubscription: { method: 'POST', path: '/api/admin/payments/subscriptions/:id/cancel' },
  adminRetryInvoice: { method: 'POST', path: '/api/admin/payments/subscriptions/:id/retry' },
  adminResyncAccount: { method: 'POST', path: '/api/admin/payments/accounts/:id/resync' },
  adminListTransactions: { method: 'GET', path: '/api/admin/payments/transactions' },
  adminExportTransactions: { method: 'GET', path: '/api/admin/payments/transactions/export' },
  adminRefundTransaction: { method: 'POST', path: '/api/admin/payments/transactions/:id/refund' },
  adminListStripeEvents: { method: 'GET', path: '/api/admin/payments/events' },
  adminRetryStripeEvent: { method: 'POST', path: '/api/admin/payments/events/:id/retry' },
  adminPaymentHealth: { method: 'GET', path: '/api/admin/payments/health' },
} as const;
