import * as z from 'zod';
import { billingSettingsSchema } from '../schemas/admin/settings.ts';
import { withSeenVersion, withVersion } from '../schemas/admin/settings-versions.ts';
import { plainExportSchema } from '../schemas/admin/table.ts';
import { buyPackBodySchema, hostedPageSchema } from '../schemas/billing/billing.ts';
import {
  checkCouponQuerySchema,
  couponOfferSchema,
  couponSchema,
  couponsExportSchema,
  couponsQuerySchema,
  createCouponBodySchema,
  redemptionSchema,
  redemptionsQuerySchema,
  typedCodeSchema,
  updateCouponBodySchema,
} from '../schemas/billing/coupons.ts';
import { createLeadBodySchema } from '../schemas/contact.ts';
import { packCardSchema } from '../schemas/plan-card.ts';
import { bytesSchema, defineAdminEndpoints, defineEndpoints, exportOf } from './endpoint.ts';

const couponErrors = [
  'coupon_not_found',
  'coupon_expired',
  'coupon_used_up',
  'coupon_disabled',
  'coupon_wrong_plan',
  'coupon_used',
  'coupon_second',
] as const;

export const couponUseErrors = [...couponErrors, 'coupon_not_ready'] as const;

/** Endpoints for coupons, packs, inquiries, and billing settings. */
export const couponEndpoints = {
  ...defineEndpoints('optional', {
    checkCoupon: {
      route: 'GET /api/coupons/:code',
      params: z.object({ code: typedCodeSchema }),
      query: checkCouponQuerySchema,
      answers: { 200: couponOfferSchema },
      errors: ['price_not_found', 'billing_not_configured', ...couponErrors],
    },
    createLead: { route: 'POST /api/leads', body: createLeadBodySchema, answers: { 201: z.null() } },
  }),
  ...defineEndpoints('none', { listPacks: { route: 'GET /api/packs', answers: { 200: z.array(packCardSchema) } } }),
  ...defineEndpoints('session', {
    buyPack: {
      route: 'POST /api/billing/packs',
      body: buyPackBodySchema,
      answers: { 200: hostedPageSchema },
      errors: [
        'email_unverified',
        'pack_not_found',
        'subscription_state',
        'billing_unavailable',
        'billing_busy',
        'billing_not_configured',
      ],
      charges: true,
    },
  }),
  ...defineAdminEndpoints({
    getBillingSettings: {
      route: 'GET /api/admin/settings/billing',
      permission: 'payments.read',
      answers: { 200: withVersion(billingSettingsSchema) },
    },
    putBillingSettings: {
      route: 'PUT /api/admin/settings/billing',
      permission: 'payments.manage',
      body: withSeenVersion(billingSettingsSchema),
      answers: { 200: withVersion(billingSettingsSchema) },
      errors: ['settings_changed'],
    },
    adminListCoupons: {
      route: 'GET /api/admin/payments/coupons',
      permission: 'payments.read',
      query: couponsQuerySchema,
      answers: { 200: z.array(couponSchema) },
    },
    adminExportCoupons: {
      route: 'GET /api/admin/payments/coupons/export',
      permission: 'payments.read',
      ...exportOf(couponsExportSchema),
    },
    adminCreateCoupon: {
      route: 'POST /api/admin/payments/coupons',
      permission: 'payments.manage',
      body: createCouponBodySchema,
      answers: { 201: couponSchema },
      errors: ['coupon_taken'],
    },
    adminUpdateCoupon: {
      route: 'PATCH /api/admin/payments/coupons/:id',
      permission: 'payments.manage',
      body: updateCouponBodySchema,
      answers: { 200: couponSchema },
      errors: ['coupon_not_found'],
    },
    adminListRedemptions: {
      route: 'GET /api/admin/payments/coupons/:id/redemptions',
      permission: 'payments.read',
      query: redemptionsQuerySchema,
      answers: { 200: z.array(redemptionSchema) },
      errors: ['coupon_not_found'],
    },
    adminExportRedemptions: {
      route: 'GET /api/admin/payments/coupons/:id/redemptions/export',
      permission: 'payments.read',
      query: plainExportSchema,
      answers: { 200: bytesSchema },
      errors: ['coupon_not_found', 'export_too_large'],
    },
  }),
};
