/** Paths of the pages of administrators. Names that begin with a colon stand for one part of a path. */
export const adminPages = {
  dashboard: '/admin',
  payments: '/admin/payments',
  transactions: '/admin/payments/transactions',
  coupons: '/admin/payments/coupons',
  leads: '/admin/payments/leads',
  prices: '/admin/payments/prices',
  inbox: '/admin/payments/inbox',
  accessLog: '/admin/security/logs',
  audit: '/admin/audit',
  settings: '/admin/settings',
  settingsSeo: '/admin/settings/seo',
  settingsEmail: '/admin/settings/email',
  settingsHistory: '/admin/settings/history/:name',
} as const;
