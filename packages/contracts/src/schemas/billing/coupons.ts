import * as z from 'zod';
import { billingIntervals } from '../../policy/billing/billing.ts';
import {
  couponDurations,
  couponRules,
  couponStates,
  discountTypes,
  redemptionStates,
} from '../../policy/billing/coupons.ts';
import { limits } from '../../policy/limits.ts';
import { tiers, tiersForSale } from '../../policy/plans/plans.ts';
import { makeExportFields, makeFilterFields, tablePageFields } from '../admin/table.ts';
import { lineSchema, requiredLineSchema } from '../user.ts';

const { codeLength, maxPercent, maxAmount } = couponRules;

/** Coupon code as stored: in uppercase. */
export const couponCodeSchema = z
  .string()
  .trim()
  .min(codeLength.min, `Code must be at least ${codeLength.min} characters`)
  .max(codeLength.max, `Code can't be longer than ${codeLength.max} characters.`)
  .regex(/^[A-Za-z0-9-]+$/, 'Code can contain letters, digits, and hyphens.')
  .transform((code) => code.toUpperCase());

/**
 * Coupon code as typed by a user. Doesn't check the format, so a malformed code gets the same error as an unknown one.
 */
export const typedCodeSchema = z.string().trim().min(1).max(limits.searchLength);

/** A time, or a date. A date means the end of that day (UTC). */
const endSchema = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], { error: 'Enter a date such as 2030-12-31.' })
  .transform((text) => (text.length > 10 ? new Date(text) : new Date(Date.parse(text) + 86_400_000)).toISOString())
  .pipe(z.iso.datetime({ error: 'Enter a date before 9999-12-31.' }));

const discountIssue = { error: 'Discount value must be greater than 0' };
const wholeNumberError = { error: 'Enter a whole number of at least 1.' };
const isCents = (dollars: number) => Number.isInteger(Math.round(dollars * 1e6) / 1e4);

export const createCouponBodySchema = z
  .strictObject({
    code: couponCodeSchema,
    discountType: z.enum(discountTypes).default('percentage'),
    /** Whole percent, or an amount in US dollars. */
    discountValue: z.number(discountIssue).min(1, discountIssue).default(10),
    description: requiredLineSchema('Description is required').max(couponRules.descriptionLength),
    duration: z.enum(couponDurations).default('once'),
    durationMonths: z
      .int(wholeNumberError)
      .min(1, wholeNumberError)
      .max(couponRules.maxMonths)
      .nullable()
      .default(null),
    /** Empty means all plans. */
    plans: z.array(z.enum(tiers)).max(tiers.length).default([]),
    maxUses: z.int(wholeNumberError).min(1, wholeNumberError).max(couponRules.maxUses).nullable().default(null),
    perAccount: z.int(wholeNumberError).min(1, wholeNumberError).max(couponRules.maxPerAccount).default(1),
    expiresAt: endSchema.nullable().default(null),
  })
  .refine((body) => body.discountType !== 'percentage' || body.discountValue <= maxPercent, {
    path: ['discountValue'],
    error: `A percentage can't be greater than ${maxPercent}.`,
  })
  .refine((body) => body.discountType !== 'percentage' || Number.isInteger(body.discountValue), {
    path: ['discountValue'],
    error: 'A percentage must be a whole number.',
  })
  .refine((body) => body.discountType !== 'fixed' || body.discountValue <= maxAmount, {
    path: ['discountValue'],
    error: `An amount can't be greater than $${maxAmount}.`,
  })
  .refine((body) => body.discountType !== 'fixed' || isCents(body.discountValue), {
    path: ['discountValue'],
    error: 'An amount can have two decimals.',
  })
  .refine((body) => (body.duration === 'months') === (body.durationMonths !== null), {
    path: ['durationMonths'],
    error: 'Enter the number of months.',
  })
  .refine((body) => body.plans.every((tier) => tiersForSale.includes(tier)), {
    path: ['plans'],
    error: 'Choose plans that are sold.',
  });
export type NewCoupon = z.output<typeof createCouponBodySchema>;
export type NewCouponInput = z.input<typeof createCouponBodySchema>;

export const updateCouponBodySchema = z.strictObject({ disabled: z.boolean() });

const couponTermsSchema = z.object({
  code: z.string(),
  discountType: z.enum(discountTypes),
  /** Percentage, or amount in US dollars. */
  discountValue: z.number(),
  description: z.string(),
  duration: z.enum(couponDurations),
  durationMonths: z.int().nullable(),
});
export type CouponTerms = z.infer<typeof couponTermsSchema>;

export const couponSchema = couponTermsSchema.extend({
  id: z.uuid(),
  state: z.enum(couponStates),
  plans: z.array(z.enum(tiers)),
  maxUses: z.int().nullable(),
  /** Uses that are reserved or redeemed. */
  uses: z.int(),
  perAccount: z.int(),
  expiresAt: z.iso.datetime().nullable(),
  disabledAt: z.iso.datetime().nullable(),
  /** Whether the coupon has been created at the payment provider. It can't be used until then. */
  isSynced: z.boolean(),
  syncError: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type Coupon = z.infer<typeof couponSchema>;

const couponFilter = {
  /** Matches part of the code or the description. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('coupons'),
};
export const couponsQuerySchema = z.object({ ...couponFilter, ...tablePageFields });
export const couponsExportSchema = z.object({ ...couponFilter, ...makeExportFields('coupons') });

export const redemptionSchema = z.object({
  id: z.uuid(),
  state: z.enum(redemptionStates),
  /** Null if the account was deleted. */
  accountId: z.uuid().nullable(),
  email: z.string().nullable(),
  subscriptionId: z.string().nullable(),
  reservedAt: z.iso.datetime(),
  redeemedAt: z.iso.datetime().nullable(),
  releasedAt: z.iso.datetime().nullable(),
});
export type Redemption = z.infer<typeof redemptionSchema>;
export const redemptionsQuerySchema = couponsQuerySchema.pick({ cursor: true, limit: true });

export const checkCouponQuerySchema = z.object({
  /** The plan to buy: a price ID of the payment provider, or the key of a plan. */
  priceId: z.string().trim().min(1).max(100).optional(),
  /** Billing interval of the plan if `priceId` is a plan key. Monthly by default. */
  interval: z.enum(billingIntervals).optional(),
});
/**
 * Terms of a coupon that the caller can use. `plan`: price, discount, and total of the first bill for the plan in the
 * query, in cents before tax. Null if the query has no plan.
 */
export const couponOfferSchema = couponTermsSchema.extend({
  plan: z
    .object({
      tier: z.enum(tiers),
      interval: z.enum(billingIntervals),
      price: z.int(),
      discount: z.int(),
      total: z.int(),
      currency: z.string(),
    })
    .nullable(),
});
export type CouponOffer = z.infer<typeof couponOfferSchema>;
