/** Administration of billing. */
export const adminPaymentRoutes = {
  adminListSubscriptions: { method: 'GET', path: '/api/admin/payments/subscriptions' },
  adminExportSubscriptions: { method: 'GET', path: '/api/admin/payments/subscriptions.csv' },
  adminListStripeEvents: { method: 'GET', path: '/api/admin/payments/events' },
  adminRetryStripeEvent: { method: 'POST', path: '/api/admin/payments/events/:id/retry' },
  adminPaymentHealth: { method: 'GET', path: '/api/admin/payments/health' },
} as const;
