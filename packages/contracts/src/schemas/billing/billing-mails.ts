import * as z from 'zod';
import { billingIntervals } from '../../policy/billing/billing.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tiers } from '../../policy/plans/plans.ts';

const time = z.iso.datetime();
const tier = z.enum(tiers);
/** Amount in cents, and ISO 4217 currency code. */
const money = { amount: z.int(), currency: z.string() };
/**
 * `override`: tier of a plan set by an administrator, which applies in place of the subscription's. Added when the
 * email is queued.
 */
const overrideFields = { tier, override: tier.optional() };
/** `tax`: tax included in `amount`, cents. */
const chargeFields = { ...money, tax: z.int().default(0) };

/** Emails about plans and bills. */
export const billingMailSchemas = [
  /** Offer of a plan from an administrator. `amount`: price of one interval. The account may not exist yet. */
  z.object({
    mail: z.literal('checkout_link'),
    to: z.email(),
    tier,
    interval: z.enum(billingIntervals),
    ...money,
  }),
  /** `amount`: amount charged. `nextAt`: date of the next bill. */
  z.object({
    mail: z.literal('plan_subscribed'),
    tier,
    interval: z.enum(billingIntervals),
    ...chargeFields,
    nextAt: time,
  }),
  /** `price`: price of one interval in cents, before discounts. */
  z.object({
    mail: z.literal('plan_changed'),
    from: z.object({ tier, interval: z.enum(billingIntervals) }),
    tier,
    interval: z.enum(billingIntervals),
    price: z.int(),
    ...chargeFields,
    nextAt: time,
  }),
  z.object({ mail: z.literal('plan_canceled'), ...overrideFields, endsAt: time }),
  /** `unpaid`: the renewal wasn't paid. */
  z.object({ mail: z.literal('plan_ended'), ...overrideFields, reason: z.enum(['unpaid', 'canceled']) }),
  /** `from`: end of the paid period. */
  z.object({ mail: z.literal('plan_paused'), ...overrideFields, from: time, until: time.nullable() }),
  z.object({ mail: z.literal('plan_resumed'), tier, nextAt: time }),
  /**
   * `retryAt`: next attempt to collect the payment; null if there is none. `endsAt`: when the plan ends without
   * payment.
   */
  z.object({ mail: z.literal('payment_failed'), ...overrideFields, ...money, retryAt: time.nullable(), endsAt: time }),
  /** The bank requires 3-D Secure. */
  z.object({ mail: z.literal('payment_action_needed'), ...overrideFields, ...money, endsAt: time }),
  z.object({ mail: z.literal('payment_recovered'), ...overrideFields, ...chargeFields, nextAt: time }),
  /** `paid`: amount of the whole payment. `removed`: units bought with the payment that were unused. */
  z.object({
    mail: z.literal('payment_refunded'),
    ...money,
    paid: z.int(),
    removed: z.array(z.object({ units: z.int(), meter: z.enum(meters) })).default([]),
  }),
  z.object({
    mail: z.literal('card_expiring'),
    brand: z.string(),
    last4: z.string(),
    month: z.int().min(1).max(12),
    year: z.int(),
  }),
  z.object({ mail: z.literal('renewal_ahead'), tier, ...money, at: time }),
] as const;
/** Emails about a subscription whose text differs while an administrator's plan applies. */
export const overridableMails = [
  'plan_canceled',
  'plan_ended',
  'plan_paused',
  'payment_failed',
  'payment_action_needed',
  'payment_recovered',
] as const satisfies readonly BillingMail['mail'][];
export type BillingMail = z.infer<(typeof billingMailSchemas)[number]>;
