/** Coupons, packs, and inquiries. */
export const couponRoutes = {
  checkCoupon: { method: 'GET', path: '/api/coupons/:code' },
  adminListCoupons: { method: 'GET', path: '/api/admin/payments/coupons' },
  adminExportCoupons: { method: 'GET', path: '/api/admin/payments/coupons/export' },
  adminCreateCoupon: { method: 'POST', path: '/api/admin/payments/coupons' },
  adminUpdateCoupon: { method: 'PATCH', path: '/api/admin/payments/coupons/:id' },
  adminListRedemptions: { method: 'GET', path: '/api/admin/payments/coupons/:id/redemptions' },
  listPacks: { method: 'GET', path: '/api/packs' },
  buyPack: { method: 'POST', path: '/api/billing/packs' },
  createLead: { method: 'POST', path: '/api/leads' },
  adminListLeads: { method: 'GET', path: '/api/admin/payments/leads' },
  adminExportLeads: { method: 'GET', path: '/api/admin/payments/leads/export' },
  adminInviteLead: { method: 'POST', path: '/api/admin/payments/leads' },
  adminSendCheckoutLink: { method: 'POST', path: '/api/admin/payments/leads/:id/link' },
  getBillingSettings: { method: 'GET', path: '/api/admin/settings/billing' },
  putBillingSettings: { method: 'PUT', path: '/api/admin/settings/billing' },
} as const;
