import * as z from 'zod';
import {
  billingIntervals,
  cancelFeedbacks,
  invoiceStatuses,
  pauseMonths,
  subscriptionBadges,
} from '../../policy/billing/billing.ts';
import { limits } from '../../policy/limits.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tiers } from '../../policy/plans/plans.ts';
import { lineSchema } from '../user.ts';
import { billingAddressSchema } from './billing-address.ts';
import { typedCodeSchema } from './coupons.ts';

const moneySchema = z.object({
  /** Amount in cents. */
  amount: z.int(),
  /** ISO 4217 code, in lowercase. */
  currency: z.string(),
});
export type Money = z.infer<typeof moneySchema>;

const boughtPlanSchema = z.object({
  tier: z.enum(tiers),
  interval: z.enum(billingIntervals),
  priceId: z.string(),
  /** Price per billing interval, before discounts and tax. */
  price: moneySchema,
});

/** A price ID of the payment provider, or a plan key, which means the plan's monthly price by default. */
export const priceIdSchema = z.string().trim().min(1).max(100);

/**
 * A charge or credit on a bill: a plan for a period, or the unused part of a paid period. `other`: an item that isn't
 * one of our plans.
 */
const billLineSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['period', 'unused_time']),
    tier: z.enum(tiers),
    from: z.iso.datetime(),
    until: z.iso.datetime(),
    amount: z.int(),
  }),
  z.object({ kind: z.literal('other'), description: z.string(), amount: z.int() }),
]);
export type BillLine = z.infer<typeof billLineSchema>;

/** Amounts are in cents. */
const billSchema = z.object({
  lines: z.array(billLineSchema),
  subtotal: z.int(),
  discount: z.int(),
  tax: z.int(),
  total: z.int(),
  /** `total` minus the customer's credit. */
  due: z.int(),
  currency: z.string(),
});
export type Bill = z.infer<typeof billSchema>;

const coupon = typedCodeSchema.optional();

export const createSubscriptionBodySchema = z.strictObject({
  priceId: priceIdSchema,
  /** Billing interval if `priceId` is a plan key. Monthly by default. */
  interval: z.enum(billingIntervals).optional(),
  coupon,
  /** Required if tax is collected. Otherwise, the address only appears on invoices. */
  billingAddress: billingAddressSchema.optional(),
});
export const createSubscriptionSchema = z.object({
  /** Secret for Stripe.js. Never stored or logged. */
  clientSecret: z.string(),
  /** `setup`: no payment is due today, so the customer only saves a payment method. */
  confirms: z.enum(['payment', 'setup']),
  plan: boughtPlanSchema,
  bill: billSchema,
  /** The bill that follows `bill`. */
  next: z.object({ at: z.iso.datetime(), ...moneySchema.shape }),
});
export type NewSubscription = z.infer<typeof createSubscriptionSchema>;

export const createCheckoutSessionBodySchema = z.strictObject({
  priceId: priceIdSchema,
  /** Plan name shown on the button. Must be the name of the price's plan. */
  planName: lineSchema.max(limits.nameLength).optional(),
  coupon,
});
export const buyPackBodySchema = z.strictObject({ pack: z.string().max(30) });
export const hostedPageSchema = z.object({ url: z.url() });

export const billingConfigSchema = z.object({
  publishableKey: z.string(),
  /** Origin that serves Stripe.js. Null means Stripe's own origin. */
  scriptOrigin: z.string().nullable(),
  /** Whether Stripe is in test mode, which moves no real money. */
  isTest: z.boolean(),
  /** Whether subscriptions require a billing address, because tax is calculated from it. */
  collectsTax: z.boolean(),
});
export type BillingConfig = z.infer<typeof billingConfigSchema>;

const cardSchema = z.object({
  /** Card brand, such as `visa`. For other payment methods, `link` or `paypal`, and `last4` is null. */
  brand: z.string(),
  last4: z.string().nullable(),
  expMonth: z.int().nullable(),
  expYear: z.int().nullable(),
});

const subscriptionSchema = z.object({
  plan: boughtPlanSchema,
  planVersion: z.int(),
  badge: z.enum(subscriptionBadges),
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  /** When the subscription ends. Null if it isn't canceled. */
  cancelAt: z.iso.datetime().nullable(),
  /** When the plan resumes after a pause. Null if the plan isn't paused, or if the pause has no end date. */
  pausedUntil: z.iso.datetime().nullable(),
  /** Scheduled downgrade, and when it takes effect. */
  next: z.object({ plan: boughtPlanSchema, at: z.iso.datetime() }).nullable(),
  /** Upgrade that is waiting for its payment to be confirmed, and the deadline for the confirmation. */
  pending: z.object({ plan: boughtPlanSchema, until: z.iso.datetime() }).nullable(),
  card: cardSchema.nullable(),
});

const boughtPackSchema = z.object({
  units: z.int(),
  /** Units that haven't been used or taken back. */
  left: z.int(),
  /** Units taken back because of a refund or a dispute. */
  reversed: z.int(),
  meter: z.enum(meters),
  boughtAt: z.iso.datetime(),
  /** ID of the payment provider's checkout session in which the pack was bought. */
  checkout: z.string().nullable(),
});
export type BoughtPack = z.infer<typeof boughtPackSchema>;

/** An account's plan and bills, read from our own database. */
export const billingSchema = z.object({
  /** Plan that is currently in effect. */
  tier: z.enum(tiers),
  /** Plan set by an administrator, which replaces the subscription's plan. `until`: null if the plan doesn't end. */
  override: z
    .object({ tier: z.enum(tiers), until: z.iso.datetime().nullable(), reason: z.string().nullable() })
    .nullable(),
  /** Null if the account never had a subscription, or if it has ended. */
  subscription: subscriptionSchema.nullable(),
  /** Null if nothing will be billed. */
  nextBill: z
    .object({ at: z.iso.datetime(), reason: z.enum(['renewal', 'plan_change', 'pause_end']), ...moneySchema.shape })
    .nullable(),
  /**
   * Unpaid bill. `retryAt`: when the payment will be attempted again. `endsAt`: when the plan ends if the bill isn't
   * paid.
   */
  unpaid: z
    .object({
      invoiceId: z.string(),
      retryAt: z.iso.datetime().nullable(),
      endsAt: z.iso.datetime().nullable(),
      ...moneySchema.shape,
    })
    .nullable(),
  /** Deadline for canceling a yearly plan with a full refund. Null if a full refund isn't possible. */
  moneyBackUntil: z.iso.datetime().nullable(),
  /** Amount of the full refund including tax, in cents. */
  moneyBackAmount: z.int().nullable(),
  /**
   * Whether the account can buy Enterprise, which isn't sold publicly. Requires a checkout link or an Enterprise
   * subscription.
   */
  isOffered: z.boolean(),
  /** The latest packs, newest first. */
  packs: z.array(boughtPackSchema),
});
export type Billing = z.infer<typeof billingSchema>;

/** `checkout`: ID of the checkout session, from the return URL. */
export const refreshBillingBodySchema = z.strictObject({ checkout: z.string().max(200).optional() });

export const previewChangeBodySchema = z.strictObject({ priceId: priceIdSchema, code: coupon });
/**
 * Cost of a plan change, including the coupon if one is given. The request for the change must repeat `previewId` and
 * the coupon code. It is rejected if the cost has changed since the preview.
 */
export const changePreviewSchema = z.object({
  previewId: z.string(),
  expiresAt: z.iso.datetime(),
  kind: z.enum(['upgrade', 'downgrade', 'resume']),
  plan: boughtPlanSchema,
  /** When the change takes effect. */
  at: z.iso.datetime(),
  /** Bill that is due today. Null if nothing is due. */
  today: billSchema.nullable(),
  next: z.object({ at: z.iso.datetime(), ...moneySchema.shape }),
});
export type ChangePreview = z.infer<typeof changePreviewSchema>;
export const changePlanBodySchema = z.strictObject({
  priceId: priceIdSchema,
  previewId: z.string().max(300),
  code: coupon,
});

/** `clientSecret`: secret for confirming the payment in the browser (3-D Secure). Null if no confirmation is needed. */
export const billingResultSchema = z.object({ clientSecret: z.string().nullable(), billing: billingSchema });

export const cancelSubscriptionBodySchema = z.strictObject({
  feedback: z.enum(cancelFeedbacks).optional(),
  comment: lineSchema.max(500).optional(),
});
export const pauseSubscriptionBodySchema = z.strictObject({ months: z.literal(pauseMonths) });
/**
 * `previewId`: required to resume a paused plan outside a paid period, because a new period is then paid immediately.
 * The preview contains the coupon code.
 */
export const resumeSubscriptionBodySchema = z.strictObject({ previewId: z.string().max(300).optional() });
export const clientSecretSchema = z.object({ clientSecret: z.string() });

export const invoiceSchema = z.object({
  id: z.string(),
  /** Null for drafts. */
  number: z.string().nullable(),
  status: z.enum(invoiceStatuses),
  createdAt: z.iso.datetime(),
  description: z.string(),
  subtotal: z.int(),
  discount: z.int(),
  tax: z.int(),
  total: z.int(),
  paid: z.int(),
  refunded: z.int(),
  currency: z.string(),
});
export type Invoice = z.infer<typeof invoiceSchema>;
export const invoicesQuerySchema = z.object({ cursor: z.string().max(100).optional() });
export const invoicesSchema = z.object({ invoices: z.array(invoiceSchema), cursor: z.string().nullable() });
