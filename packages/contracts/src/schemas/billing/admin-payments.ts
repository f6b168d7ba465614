import * as z from 'zod';
import { cancelTimes, leadStates, stripeEventStates, transactionBadges } from '../../policy/billing/admin-payments.ts';
import { billingIntervals, subscriptionBadges } from '../../policy/billing/billing.ts';
import { limits } from '../../policy/limits.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tiers } from '../../policy/plans/plans.ts';
import {
  dayFields,
  isRangeInOrder,
  makeExportFields,
  makeFilterFields,
  notInOrder,
  tablePageFields as page,
  tablePageFields,
} from '../admin/table.ts';
import { emailSchema, lineSchema } from '../user.ts';

/**
 * Account that a record belongs to. Null if it was deleted, because billing records are kept, or if there never was
 * one.
 */
const accountSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    /** Plan that an administrator set in place of the billed one. `until`: null if it has no end. */
    override: z.object({ tier: z.enum(tiers), until: z.iso.datetime().nullable() }).nullable(),
  })
  .nullable();
export type BillingAccount = z.infer<typeof accountSchema>;

/** Part of an email address or name, or a Stripe ID. */
const search = lineSchema.max(limits.searchLength).optional();

const subscriptionFilter = { ...makeFilterFields('subscriptions'), search };
export const adminSubscriptionsQuerySchema = z.object({ ...subscriptionFilter, ...page });
export const adminSubscriptionsExportSchema = z.object({
  ...subscriptionFilter,
  ...makeExportFields('subscriptions'),
});
/** `from`, `to`: days on which a transaction was paid, or created if it wasn't paid. */
const transactionFilter = { ...makeFilterFields('transactions'), search, ...dayFields };
export const adminTransactionsQuerySchema = z
  .object({ ...transactionFilter, ...page })
  .refine(isRangeInOrder, notInOrder);
export const adminTransactionsExportSchema = z
  .object({ ...transactionFilter, ...makeExportFields('transactions') })
  .refine(isRangeInOrder, notInOrder);
const stripeEventFilter = { ...makeFilterFields('stripeEvents'), search };
export const stripeEventsQuerySchema = z.object({ ...stripeEventFilter, ...page });
export const stripeEventsExportSchema = z.object({
  ...stripeEventFilter,
  ...makeExportFields('stripeEvents'),
});

/** Amounts are cents. */
export const adminSubscriptionSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  account: accountSchema,
  tier: z.enum(tiers),
  interval: z.enum(billingIntervals),
  /** Price of one interval, before discounts and tax. */
  amount: z.int(),
  currency: z.string(),
  badge: z.enum(subscriptionBadges),
  createdAt: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  cancelAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  /**
   * Stripe's feedback value and the customer's comment. Null if there is neither, or if the subscription isn't
   * canceled.
   */
  cancellation: z.object({ feedback: z.string().nullable(), comment: z.string().nullable() }).nullable(),
  isPaused: z.boolean(),
  pausedUntil: z.iso.datetime().nullable(),
  /** Latest open bill. */
  unpaid: z.object({ invoiceId: z.string(), amount: z.int() }).nullable(),
});
export type AdminSubscription = z.infer<typeof adminSubscriptionSchema>;

/** A payment. Amounts are cents. */
export const adminTransactionSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  account: accountSchema,
  /** What was bought, such as `Pro, monthly`. Null until its invoice has been read. */
  description: z.string().nullable(),
  invoice: z.object({ id: z.string(), number: z.string().nullable() }).nullable(),
  /**
   * Live subscription whose current period was paid. `renewsAt`: when the subscription is billed next; null if it
   * isn't.
   */
  subscription: z.object({ id: z.string(), renewsAt: z.iso.datetime().nullable() }).nullable(),
  amount: z.int(),
  /** Tax in `amount`. */
  tax: z.int(),
  /** Refunded amount, including pending refunds. */
  refunded: z.int(),
  /** Amount that can still be refunded. */
  refundable: z.int(),
  currency: z.string(),
  badge: z.enum(transactionBadges),
  /** Payment method, such as `card` or `paypal`. */
  method: z.string().nullable(),
  /** Null for other payment methods. */
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Why the last attempt failed. */
  failure: z.string().nullable(),
  isDisputed: z.boolean(),
  /** Units that the account has received for the payment, and units that were taken back because money was returned. */
  units: z.array(z.object({ meter: z.enum(meters), given: z.int(), reversed: z.int() })),
  createdAt: z.iso.datetime(),
});
export type AdminTransaction = z.infer<typeof adminTransactionSchema>;

/** An event in the inbox of Stripe's webhook. */
export const adminStripeEventSchema = z.object({
  id: z.string(),
  type: z.string(),
  objectType: z.string(),
  objectId: z.string().nullable(),
  customerId: z.string().nullable(),
  account: accountSchema,
  state: z.enum(stripeEventStates),
  /** Why the latest read of the event's customer failed. Null if it didn't. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
});
export type AdminStripeEvent = z.infer<typeof adminStripeEventSchema>;

const note = lineSchema.max(500).optional();
export const refundBodySchema = z.strictObject({
  /** Amount in cents. */
  amount: z.int().min(1).max(100_000_000),
  /** Amount that was refunded when the caller read the payment. Prevents refunding twice. */
  refunded: z.int().min(0),
  /** Whether to also end the subscription whose current period was paid, effective immediately. */
  cancelSubscription: z.boolean().optional(),
  note,
});
export const adminCancelBodySchema = z.strictObject({ when: z.enum(cancelTimes), note });

/** Health of billing, read from our own database. */
export const paymentHealthSchema = z.object({
  /** Stripe account and mode that the database belongs to. Null if Stripe was never reached. */
  account: z.object({ id: z.string(), mode: z.enum(['test', 'live']) }).nullable(),
  /** Whether this gateway has Stripe's keys. */
  isConfigured: z.boolean(),
  pendingEvents: z.int(),
  /** When the oldest pending event was received. */
  oldestPendingAt: z.iso.datetime().nullable(),
  /** Number of customers that changed at Stripe and haven't been read yet. */
  pendingCustomers: z.int(),
  /**
   * Latest comparison of all subscriptions with Stripe: number of subscriptions, and of those that differed and were
   * corrected.
   */
  drift: z.object({ checked: z.int(), found: z.int(), at: z.iso.datetime() }).nullable(),
  /** Customers whose latest read failed, ordered by most failures. At most 20. */
  failing: z.array(
    z.object({
      customerId: z.string(),
      account: accountSchema,
      failures: z.int(),
      error: z.string().nullable(),
      retryAt: z.iso.datetime(),
    }),
  ),
  /** Accounts with more than one live subscription; at most 20. */
  doubled: z.array(z.object({ account: accountSchema, subscriptionIds: z.array(z.string()) })),
});
export type PaymentHealth = z.infer<typeof paymentHealthSchema>;

/**
 * An inquiry about Enterprise, or an email address that an administrator sent a checkout link to. Strings may be empty.
 */
export const adminLeadSchema = z.object({
  id: z.uuid(),
  /** Account of the sender, if they were signed in. */
  accountId: z.uuid().nullable(),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  volume: z.string(),
  message: z.string(),
  state: z.enum(leadStates),
  createdAt: z.iso.datetime(),
  /** The latest checkout link. */
  link: z.object({ interval: z.enum(billingIntervals), sentAt: z.iso.datetime() }).nullable(),
});
export type AdminLead = z.infer<typeof adminLeadSchema>;

const leadFilter = {
  /** Part of the name, email address, or company. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('leads'),
};
export const leadsQuerySchema = z.object({ ...leadFilter, ...tablePageFields });
export const leadsExportSchema = z.object({ ...leadFilter, ...makeExportFields('leads') });

const interval = z.enum(billingIntervals);
export const sendCheckoutLinkBodySchema = z.strictObject({ interval });
export const inviteLeadBodySchema = z.strictObject({ email: emailSchema, interval });
