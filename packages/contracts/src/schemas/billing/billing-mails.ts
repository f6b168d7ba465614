import * as z from 'zod';
import { billingIntervals } from '../../policy/billing/billing.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tiers } from '../../policy/plans/plans.ts';

const time = z.iso.datetime();
const tier = z.enum(tiers);
/** Cents, and ISO 4217. */
const money = { amount: z.int(), currency: z.string() };
/** The tier of a plan that an administrator gave, which applies in place of the subscription's. Added when the email is queued. */
const overridden = { tier, override: tier.optional() };
/** `tax`: cents in `amount`. */
const charged = { ...money, tax: z.int().default(0) };

/** Emails about plans and bills. */
export const billingMailSchemas = [
  /** From an administrator, who offers a plan. `amount`: of one interval. The account may not exist yet. */
  z.object({
    mail: z.literal('checkout_link'),
    to: z.email(),
    tier,
    interval: z.enum(billingIntervals),
    ...money,
  }),
  /** `amount`: what was charged. `nextAt`: the next bill. */
  z.object({
    mail: z.literal('plan_subscribed'),
    tier,
    interval: z.enum(billingIntervals),
    ...charged,
    nextAt: time,
  }),
  /** `price`: cents of one interval, before discounts. */
  z.object({
    mail: z.literal('plan_changed'),
    from: z.object({ tier, interval: z.enum(billingIntervals) }),
    tier,
    interval: z.enum(billingIntervals),
    price: z.int(),
    ...charged,
    nextAt: time,
  }),
  z.object({ mail: z.literal('plan_canceled'), ...overridden, endsAt: time }),
  /** `unpaid`: nobody paid the renewal. */
  z.object({ mail: z.literal('plan_ended'), ...overridden, reason: z.enum(['unpaid', 'canceled']) }),
  /** `from`: the end of the time that is paid. */
  z.object({ mail: z.literal('plan_paused'), ...overridden, from: time, until: time.nullable() }),
  z.object({ mail: z.literal('plan_resumed'), tier, nextAt: time }),
  /** `retryAt`: the next attempt to collect it; null: there is none. `endsAt`: when the plan ends without payment. */
  z.object({ mail: z.literal('payment_failed'), ...overridden, ...money, retryAt: time.nullable(), endsAt: time }),
  /** The bank asks for 3-D Secure. */
  z.object({ mail: z.literal('payment_action_needed'), ...overridden, ...money, endsAt: time }),
  z.object({ mail: z.literal('payment_recovered'), ...overridden, ...charged, nextAt: time }),
  /** `paid`: the whole payment. `removed`: units that it had paid for and that were unused. */
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
/** Emails about a subscription that say something else while an administrator's plan applies. */
export const overridableMails = [
  'plan_canceled',
  'plan_ended',
  'plan_paused',
  'payment_failed',
  'payment_action_needed',
  'payment_recovered',
] as const satisfies readonly BillingMail['mail'][];
export type BillingMail = z.infer<(typeof billingMailSchemas)[number]>;
