import * as z from 'zod';
import { cancelTimes, stripeEventStates, transactionBadges } from '../../policy/billing/admin-payments.ts';
import { billingIntervals, subscriptionBadges } from '../../policy/billing/billing.ts';
import { limits } from '../../policy/limits.ts';
import { meters } from '../../policy/plans/meters.ts';
import { tiers } from '../../policy/plans/plans.ts';
import {
  dayFields,
  exportFields,
  filterFields,
  isInOrder,
  notInOrder,
  tablePageFields as page,
} from '../admin/table.ts';
import { lineSchema } from '../user.ts';

/** The account behind a row. Null after it was deleted: its books stay. */
const accountSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    /** The plan that an administrator set instead of the one that is billed. `until`: null without an end. */
    override: z.object({ tier: z.enum(tiers), until: z.iso.datetime().nullable() }).nullable(),
  })
  .nullable();
export type BillingAccount = z.infer<typeof accountSchema>;

/** Part of an email address or name, or an ID of Stripe. */
const search = lineSchema.max(limits.searchLength).optional();

const subscriptionFilter = { ...filterFields('subscriptions'), search };
export const adminSubscriptionsQuerySchema = z.object({ ...subscriptionFilter, ...page });
export const adminSubscriptionsExportSchema = z.object({
  ...subscriptionFilter,
  ...exportFields('subscriptions'),
});
/** `from`, `to`: when it was paid, or created if it wasn't. */
const transactionFilter = { ...filterFields('transactions'), search, ...dayFields };
export const adminTransactionsQuerySchema = z.object({ ...transactionFilter, ...page }).refine(isInOrder, notInOrder);
export const adminTransactionsExportSchema = z
  .object({ ...transactionFilter, ...exportFields('transactions') })
  .refine(isInOrder, notInOrder);
const stripeEventFilter = { ...filterFields('stripeEvents'), search };
export const stripeEventsQuerySchema = z.object({ ...stripeEventFilter, ...page });
export const stripeEventsExportSchema = z.object({
  ...stripeEventFilter,
  ...exportFields('stripeEvents'),
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
  /** Why the customer canceled: Stripe's value, and a comment. Null without an answer, or if it isn't canceled. */
  cancellation: z.object({ feedback: z.string().nullable(), comment: z.string().nullable() }).nullable(),
  isPaused: z.boolean(),
  pausedUntil: z.iso.datetime().nullable(),
  /** The latest bill that is open. */
  unpaid: z.object({ invoiceId: z.string(), amount: z.int() }).nullable(),
});
export type AdminSubscription = z.infer<typeof adminSubscriptionSchema>;

/** A payment. Amounts are cents. */
export const adminTransactionSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  account: accountSchema,
  /** What was bought, such as `Pro, monthly`; null before its invoice was read. */
  description: z.string().nullable(),
  invoice: z.object({ id: z.string(), number: z.string().nullable() }).nullable(),
  /** The live subscription whose current period it paid. `renewsAt`: when it is billed again; null: it isn't. */
  subscription: z.object({ id: z.string(), renewsAt: z.iso.datetime().nullable() }).nullable(),
  amount: z.int(),
  /** Tax in `amount`. */
  tax: z.int(),
  /** Pending refunds included. */
  refunded: z.int(),
  /** What can still be refunded. */
  refundable: z.int(),
  currency: z.string(),
  badge: z.enum(transactionBadges),
  /** Such as `card` or `paypal`. */
  method: z.string().nullable(),
  /** Null for other methods. */
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Why the last attempt failed. */
  failure: z.string().nullable(),
  isDisputed: z.boolean(),
  /** Units that the account got for it so far, and how many of them were taken back because money was returned. */
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
  /** Why the latest read of its customer failed; null: it didn't. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
});
export type AdminStripeEvent = z.infer<typeof adminStripeEventSchema>;

const note = lineSchema.max(500).optional();
export const refundBodySchema = z.strictObject({
  /** Cents. */
  amount: z.int().min(1).max(100_000_000),
  /** What was refunded when the caller read the payment. Protects from refunding twice. */
  refunded: z.int().min(0),
  /** Whether the subscription whose current period was paid ends now, too. */
  cancelSubscription: z.boolean().optional(),
  note,
});
export const adminCancelBodySchema = z.strictObject({ when: z.enum(cancelTimes), note });

/** Whether billing works. Read from our own database. */
export const paymentHealthSchema = z.object({
  /** Stripe's account and mode that the database belongs to; null: Stripe was never reached. */
  account: z.object({ id: z.string(), mode: z.enum(['test', 'live']) }).nullable(),
  /** Whether this gateway has Stripe's keys. */
  isConfigured: z.boolean(),
  pendingEvents: z.int(),
  /** When the oldest pending event was received. */
  oldestPendingAt: z.iso.datetime().nullable(),
  /** Customers that changed at Stripe and weren't read yet. */
  pendingCustomers: z.int(),
  /** The latest comparison of all subscriptions with Stripe: how many, and how many differed and were corrected. */
  drift: z.object({ checked: z.int(), found: z.int(), at: z.iso.datetime() }).nullable(),
  /** Customers whose latest read failed, the most failures first; at most 20. */
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
