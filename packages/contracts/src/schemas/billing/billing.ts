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
  /** Cents. */
  amount: z.int(),
  /** ISO 4217, in lower case. */
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

/** A price ID of the payment provider, or the key of a plan, which means its monthly price. */
export const priceIdSchema = z.string().trim().min(1).max(100);

/** What a line bills or credits: a plan for a period, or what is left of a period that was paid. `other`: not a plan of ours. */
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

/** What a bill consists of. Cents. */
const billSchema = z.object({
  lines: z.array(billLineSchema),
  subtotal: z.int(),
  discount: z.int(),
  tax: z.int(),
  total: z.int(),
  /** The total less the credit of the customer. */
  due: z.int(),
  currency: z.string(),
});
export type Bill = z.infer<typeof billSchema>;

/** A coupon's code. */
const coupon = typedCodeSchema.optional();

export const createSubscriptionBodySchema = z.strictObject({
  priceId: priceIdSchema,
  /** Of the plan whose key is given. Monthly by default. */
  interval: z.enum(billingIntervals).optional(),
  coupon,
  /** Required if tax is collected. Otherwise it is only on invoices. */
  billingAddress: billingAddressSchema.optional(),
});
export const createSubscriptionSchema = z.object({
  /** Secret for Stripe.js. Never stored or logged. */
  clientSecret: z.string(),
  /** `setup`: nothing is due today, only a payment method is stored. */
  confirms: z.enum(['payment', 'setup']),
  plan: boughtPlanSchema,
  bill: billSchema,
  /** The bill after this one. */
  next: z.object({ at: z.iso.datetime(), ...moneySchema.shape }),
});
export type NewSubscription = z.infer<typeof createSubscriptionSchema>;

export const createCheckoutSessionBodySchema = z.strictObject({
  priceId: priceIdSchema,
  /** Name of the plan that the button showed. It must be the one that the price is of. */
  planName: lineSchema.max(limits.nameLength).optional(),
  coupon,
});
/** `pack`: its key. */
export const buyPackBodySchema = z.strictObject({ pack: z.string().max(30) });
/** Where the purchase continues. */
export const hostedPageSchema = z.object({ url: z.url() });

/** What Stripe.js needs. */
export const billingConfigSchema = z.object({
  publishableKey: z.string(),
  /** Origin that serves Stripe.js; null: Stripe's own. */
  scriptOrigin: z.string().nullable(),
  /** Whether no real money moves. */
  isTest: z.boolean(),
  /** Whether a subscription needs a billing address, from which tax is computed. */
  collectsTax: z.boolean(),
});
export type BillingConfig = z.infer<typeof billingConfigSchema>;

const cardSchema = z.object({
  /** Such as `visa`; `link` or `paypal` without digits for other methods. */
  brand: z.string(),
  last4: z.string().nullable(),
  expMonth: z.int().nullable(),
  expYear: z.int().nullable(),
});

const subscriptionSchema = z.object({
  plan: boughtPlanSchema,
  /** The version of the plan that was bought. */
  planVersion: z.int(),
  badge: z.enum(subscriptionBadges),
  periodStart: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  /** When it ends, if it was canceled. */
  cancelAt: z.iso.datetime().nullable(),
  /** When the plan continues after a pause; null: it isn't paused. */
  pausedUntil: z.iso.datetime().nullable(),
  /** A downgrade, and when it takes effect. */
  next: z.object({ plan: boughtPlanSchema, at: z.iso.datetime() }).nullable(),
  /** An upgrade whose payment wasn't confirmed, and until when it can be. */
  pending: z.object({ plan: boughtPlanSchema, until: z.iso.datetime() }).nullable(),
  card: cardSchema.nullable(),
});

/** Units that the account bought once. */
const boughtPackSchema = z.object({
  units: z.int(),
  /** Units that weren't used or returned. */
  left: z.int(),
  /** Units that were taken back because their payment was returned. */
  reversed: z.int(),
  meter: z.enum(meters),
  boughtAt: z.iso.datetime(),
  /** The session on the payment provider's page that it was bought in. */
  checkout: z.string().nullable(),
});
export type BoughtPack = z.infer<typeof boughtPackSchema>;

/** An account's plan and bills, from our own database. */
export const billingSchema = z.object({
  /** The plan that applies now. */
  tier: z.enum(tiers),
  /** An administrator's plan, which applies instead of the subscription. `until: null`: without end. */
  override: z
    .object({ tier: z.enum(tiers), until: z.iso.datetime().nullable(), reason: z.string().nullable() })
    .nullable(),
  /** Null: never bought, or ended. */
  subscription: subscriptionSchema.nullable(),
  /** The next bill; null: none follows. */
  nextBill: z
    .object({ at: z.iso.datetime(), reason: z.enum(['renewal', 'plan_change', 'pause_end']), ...moneySchema.shape })
    .nullable(),
  /** An unpaid bill. `retryAt`: the next attempt to collect it. `endsAt`: when the plan ends without payment. */
  unpaid: z
    .object({
      invoiceId: z.string(),
      retryAt: z.iso.datetime().nullable(),
      endsAt: z.iso.datetime().nullable(),
      ...moneySchema.shape,
    })
    .nullable(),
  /** Until when canceling a yearly plan refunds it in full; null: not possible. */
  moneyBackUntil: z.iso.datetime().nullable(),
  /** Cents that are refunded then, with tax. */
  moneyBackAmount: z.int().nullable(),
  /** Whether the plan that isn't on sale to everybody (Enterprise) may be bought: by a checkout link, or by its subscribers. */
  isOffered: z.boolean(),
  /** The latest packs, newest first. */
  packs: z.array(boughtPackSchema),
});
export type Billing = z.infer<typeof billingSchema>;

/** `checkout`: ID of the session that the return address named. */
export const refreshBillingBodySchema = z.strictObject({ checkout: z.string().max(200).optional() });

export const previewChangeBodySchema = z.strictObject({ priceId: priceIdSchema, code: coupon });
/**
 * What a change costs, with the coupon's code if there is one. A change must repeat `previewId` and the code, and is refused if
 * it would cost something else by then.
 */
export const changePreviewSchema = z.object({
  previewId: z.string(),
  expiresAt: z.iso.datetime(),
  kind: z.enum(['upgrade', 'downgrade', 'resume']),
  plan: boughtPlanSchema,
  /** When the plan changes. */
  at: z.iso.datetime(),
  /** Today's bill; null: nothing is billed today. */
  today: billSchema.nullable(),
  next: z.object({ at: z.iso.datetime(), ...moneySchema.shape }),
});
export type ChangePreview = z.infer<typeof changePreviewSchema>;
export const changePlanBodySchema = z.strictObject({
  priceId: priceIdSchema,
  previewId: z.string().max(300),
  code: coupon,
});

/** `clientSecret`: the payment must be confirmed in the browser first (3-D Secure); null: done. */
export const billingResultSchema = z.object({ clientSecret: z.string().nullable(), billing: billingSchema });

export const cancelSubscriptionBodySchema = z.strictObject({
  feedback: z.enum(cancelFeedbacks).optional(),
  comment: lineSchema.max(500).optional(),
});
export const pauseSubscriptionBodySchema = z.strictObject({ months: z.literal(pauseMonths) });
/** Resuming a paused plan needs the `previewId` of its preview, which contains its code. */
export const resumeSubscriptionBodySchema = z.strictObject({ previewId: z.string().max(300).optional() });
export const clientSecretSchema = z.object({ clientSecret: z.string() });

export const invoiceSchema = z.object({
  id: z.string(),
  /** Null in drafts. */
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
