/** Administration of billing. */
export const adminPaymentRoutes = {
  adminListSubscriptions: { method: 'GET', path: '/api/admin/payments/subscriptions' },
  adminExportSubscriptions: { method: 'GET', path: '/api/admin/payments/subscriptions.csv' },
  adminListTransactions: { method: 'GET', path: '/api/admin/payments/transactions' },
  adminExportTransactions: { method: 'GET', path: '/api/admin/payments/transactions.csv' },
  adminRefundTransaction: { method: 'POST', path: '/api/admin/payments/transactions/:id/refund' },
  adminListStripeEvents: { method: 'GET', path: '/api/admin/payments/events' },
  adminRetryStripeEvent: { method: 'POST', path: '/api/admin/payments/events/:id/retry' },
  adminPaymentHealth: { method: 'GET', path: '/api/admin/payments/health' },
} as const;
