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
  /** ISO 4217 code in lower case. */
  currency: z.string(),
});
export type Money = z.infer<typeof moneySchema>;

/** A plan as it is bought. */
const boughtPlanSchema = z.object({
  tier: z.enum(tiers),
  interval: z.enum(billingIntervals),
  priceId: z.string(),
  /** Price of one interval, before discounts and tax. */
  price: moneySchema,
});

/** Price ID of the payment provider, or the key of a plan, which selects its monthly price by default. */
export const priceIdSchema = z.string().trim().min(1).max(100);

/**
 * A charge or credit on a bill: a plan for a period, or the unused part of a paid period. `other`: not one of our
 * plans.
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

/** Lines and totals of a bill. Amounts are in cents. */
const billSchema = z.object({
  lines: z.array(billLineSchema),
  subtotal: z.int(),
  discount: z.int(),
  tax: z.int(),
  total: z.int(),
  /** `total` less the customer's credit. */
  due: z.int(),
  currency: z.string(),
});
export type Bill = z.infer<typeof billSchema>;

/** A coupon's code. */
const coupon = typedCodeSchema.optional();

export const createSubscriptionBodySchema = z.strictObject({
  priceId: priceIdSchema,
  /** Interval, if `priceId` is the key of a plan. Monthly by default. */
  interval: z.enum(billingIntervals).optional(),
  coupon,
  /** Required if tax is collected. Otherwise, it only appears on invoices. */
  billingAddress: billingAddressSchema.optional(),
});
export const createSubscriptionSchema = z.object({
  /** Secret for Stripe.js. Never stored or logged. */
  clientSecret: z.string(),
  /** `setup`: nothing is due today, and only a payment method is stored. */
  confirms: z.enum(['payment', 'setup']),
  plan: boughtPlanSchema,
  bill: billSchema,
  /** Bill after this one. */
  next: z.object({ at: z.iso.datetime(), ...moneySchema.shape }),
});
export type NewSubscription = z.infer<typeof createSubscriptionSchema>;

export const createCheckoutSessionBodySchema = z.strictObject({
  priceId: priceIdSchema,
  /** Name of the plan that the button showed. Must be the plan of the price. */
  planName: lineSchema.max(limits.nameLength).optional(),
  coupon,
});
/** `pack`: key of the pack. */
export const buyPackBodySchema = z.strictObject({ pack: z.string().max(30) });
/** URL of the page where the purchase continues. */
export const hostedPageSchema = z.object({ url: z.url() });

/** Configuration of Stripe.js. */
export const billingConfigSchema = z.object({
  publishableKey: z.string(),
  /** Origin that serves Stripe.js. Null means Stripe's own. */
  scriptOrigin: z.string().nullable(),
  /** Whether Stripe is in test mode, which moves no real money. */
  isTest: z.boolean(),
  /** Whether a subscription needs a billing address, from which tax is computed. */
  collectsTax: z.boolean(),
});
export type BillingConfig = z.infer<typeof billingConfigSchema>;

const cardSchema = z.object({
  /** Card brand, such as `visa`. For other payment methods, `link` or `paypal`, without digits. */
  brand: z.string(),
  last4: z.string().nullable(),
  expMonth: z.int().nullable(),
  expYear: z.int().nullable(),
});

const subscriptionSchema = z.object({
  plan: boughtPlanSchema,
  /** Version of the plan that was bought. */
  planVersion: z.int(),
  badge: z.enum(subscriptionBadges),
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  /** When the subscription ends, if it was canceled. */
  cancelAt: z.iso.datetime().nullable(),
  /** When the plan resumes after a pause. Null if the plan isn't paused, or the pause has no end. */
  pausedUntil: z.iso.datetime().nullable(),
  /** Scheduled downgrade, and when it takes effect. */
  next: z.object({ plan: boughtPlanSchema, at: z.iso.datetime() }).nullable(),
  /** Upgrade with an unconfirmed payment, and the deadline for confirming it. */
  pending: z.object({ plan: boughtPlanSchema, until: z.iso.datetime() }).nullable(),
  card: cardSchema.nullable(),
});

/** Units from a one-time purchase. */
const boughtPackSchema = z.object({
  units: z.int(),
  /** Units that were neither used nor reversed. */
  left: z.int(),
  /** Units that were taken back because the payment was returned. */
  reversed: z.int(),
  meter: z.enum(meters),
  boughtAt: z.iso.datetime(),
  /** ID of the checkout session at the payment provider in which the pack was bought. */
  checkout: z.string().nullable(),
});
export type BoughtPack = z.infer<typeof boughtPackSchema>;

/** Plan and bills of an account, read from our own database. */
export const billingSchema = z.object({
  /** Plan that currently applies. */
  tier: z.enum(tiers),
  /**
   * Plan set by an administrator, which applies instead of the subscription. `until: null` means that it has no end.
   */
  override: z
    .object({ tier: z.enum(tiers), until: z.iso.datetime().nullable(), reason: z.string().nullable() })
    .nullable(),
  /** Null if no subscription was ever bought, or it has ended. */
  subscription: subscriptionSchema.nullable(),
  /** Next bill. Null if there is none. */
  nextBill: z
    .object({ at: z.iso.datetime(), reason: z.enum(['renewal', 'plan_change', 'pause_end']), ...moneySchema.shape })
    .nullable(),
  /** Unpaid bill. `retryAt`: next attempt to collect the payment. `endsAt`: when the plan ends without payment. */
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
  /** Amount of that refund in cents, including tax. */
  moneyBackAmount: z.int().nullable(),
  /**
   * Whether the account can buy the plan that isn't on public sale (Enterprise), because it has a checkout link or a
   * subscription to it.
   */
  isOffered: z.boolean(),
  /** The latest packs, newest first. */
  packs: z.array(boughtPackSchema),
});
export type Billing = z.infer<typeof billingSchema>;

/** `checkout`: session ID from the return URL. */
export const refreshBillingBodySchema = z.strictObject({ checkout: z.string().max(200).optional() });

export const previewChangeBodySchema = z.strictObject({ priceId: priceIdSchema, code: coupon });
/**
 * Cost of a plan change, including the coupon if one is given. The change must repeat `previewId` and the code, and is
 * rejected if its cost has changed.
 */
export const changePreviewSchema = z.object({
  previewId: z.string(),
  expiresAt: z.iso.datetime(),
  kind: z.enum(['upgrade', 'downgrade', 'resume']),
  plan: boughtPlanSchema,
  /** When the plan changes. */
  at: z.iso.datetime(),
  /** Today's bill. Null if nothing is billed today. */
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
 * Resuming a paused plan outside a paid period requires the `previewId` of its preview, which contains the coupon code.
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
