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

/** Null if the account was deleted, because its billing records are kept, or if the record never had an account. */
const accountSchema = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().nullable(),
    /** Plan that an administrator set in place of the billed plan. `until`: null if the plan doesn't end. */
    override: z.object({ tier: z.enum(tiers), until: z.iso.datetime().nullable() }).nullable(),
  })
  .nullable();
export type BillingAccount = z.infer<typeof accountSchema>;

/** Matches part of an email address or name, or a Stripe ID. */
const search = lineSchema.max(limits.searchLength).optional();

const subscriptionFilter = { ...makeFilterFields('subscriptions'), search };
export const adminSubscriptionsQuerySchema = z.object({ ...subscriptionFilter, ...page });
export const adminSubscriptionsExportSchema = z.object({
  ...subscriptionFilter,
  ...makeExportFields('subscriptions'),
});
/** `from`, `to`: range of days on which a transaction was paid, or created if it hasn't been paid. */
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

/** Amounts are in cents. */
export const adminSubscriptionSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  account: accountSchema,
  tier: z.enum(tiers),
  interval: z.enum(billingIntervals),
  /** Price per billing interval, before discounts and tax. */
  amount: z.int(),
  currency: z.string(),
  badge: z.enum(subscriptionBadges),
  createdAt: z.iso.datetime(),
  periodEnd: z.iso.datetime(),
  cancelAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  /**
   * Stripe's code for the cancellation reason, and the customer's comment. Null if the customer gave neither, or if the
   * subscription isn't canceled.
   */
  cancellation: z.object({ feedback: z.string().nullable(), comment: z.string().nullable() }).nullable(),
  isPaused: z.boolean(),
  pausedUntil: z.iso.datetime().nullable(),
  /** Latest open bill. */
  unpaid: z.object({ invoiceId: z.string(), amount: z.int() }).nullable(),
});
export type AdminSubscription = z.infer<typeof adminSubscriptionSchema>;

/** Amounts are in cents. */
export const adminTransactionSchema = z.object({
  id: z.string(),
  customerId: z.string(),
  account: accountSchema,
  /** What was bought, such as `Pro, monthly`. Null until the payment's invoice has been read. */
  description: z.string().nullable(),
  invoice: z.object({ id: z.string(), number: z.string().nullable() }).nullable(),
  /**
   * Live subscription, if this payment paid for its current period. `renewsAt`: when the subscription is billed next.
   * Null if it won't be billed again.
   */
  subscription: z.object({ id: z.string(), renewsAt: z.iso.datetime().nullable() }).nullable(),
  amount: z.int(),
  /** Tax included in `amount`. */
  tax: z.int(),
  /** Amount refunded so far, including pending refunds. */
  refunded: z.int(),
  refundable: z.int(),
  currency: z.string(),
  badge: z.enum(transactionBadges),
  /** Payment method, such as `card` or `paypal`. */
  method: z.string().nullable(),
  /** Null if the payment method isn't a card. */
  card: z.object({ brand: z.string(), last4: z.string() }).nullable(),
  /** Why the latest payment attempt failed. */
  failure: z.string().nullable(),
  isDisputed: z.boolean(),
  /** Units granted for the payment, and units taken back because of a refund or a dispute. */
  units: z.array(z.object({ meter: z.enum(meters), given: z.int(), reversed: z.int() })),
  createdAt: z.iso.datetime(),
});
export type AdminTransaction = z.infer<typeof adminTransactionSchema>;

export const adminStripeEventSchema = z.object({
  id: z.string(),
  type: z.string(),
  objectType: z.string(),
  objectId: z.string().nullable(),
  customerId: z.string().nullable(),
  account: accountSchema,
  state: z.enum(stripeEventStates),
  /** Why the latest attempt to read the event's customer failed. Null if it didn't fail. */
  error: z.string().nullable(),
  createdAt: z.iso.datetime(),
  receivedAt: z.iso.datetime(),
});
export type AdminStripeEvent = z.infer<typeof adminStripeEventSchema>;

const note = lineSchema.max(500).optional();
export const refundBodySchema = z.strictObject({
  /** Amount to refund, in cents. */
  amount: z.int().min(1).max(100_000_000),
  /** Amount that had been refunded when the caller read the payment. Prevents refunding twice. */
  refunded: z.int().min(0),
  /** Whether to also end the subscription immediately, if this payment paid for its current period. */
  cancelSubscription: z.boolean().optional(),
  note,
});
export const adminCancelBodySchema = z.strictObject({ when: z.enum(cancelTimes), note });

/** Health of billing, read from our own database. */
export const paymentHealthSchema = z.object({
  /** Stripe account and mode that the database belongs to. Null if Stripe was never reached. */
  account: z.object({ id: z.string(), mode: z.enum(['test', 'live']) }).nullable(),
  isConfigured: z.boolean(),
  pendingEvents: z.int(),
  /** When the oldest pending event was received. Null if no events are pending. */
  oldestPendingAt: z.iso.datetime().nullable(),
  /** Number of customers that have changed at Stripe and haven't been read since. */
  pendingCustomers: z.int(),
  /**
   * Latest comparison of all subscriptions with Stripe. `checked`: subscriptions compared. `found`: subscriptions that
   * differed. They were corrected.
   */
  drift: z.object({ checked: z.int(), found: z.int(), at: z.iso.datetime() }).nullable(),
  /** Customers that couldn't be read at the latest attempt, most failures first. At most 20. */
  failing: z.array(
    z.object({
      customerId: z.string(),
      account: accountSchema,
      failures: z.int(),
      error: z.string().nullable(),
      retryAt: z.iso.datetime(),
    }),
  ),
  /** Accounts that have more than one live subscription. At most 20. */
  doubled: z.array(z.object({ account: accountSchema, subscriptionIds: z.array(z.string()) })),
});
export type PaymentHealth = z.infer<typeof paymentHealthSchema>;

/**
 * An inquiry about Enterprise, or an email address to which an administrator sent a checkout link. Strings are empty if
 * they weren't entered.
 */
export const adminLeadSchema = z.object({
  id: z.uuid(),
  /** Account of the sender. Null if they weren't signed in. */
  accountId: z.uuid().nullable(),
  name: z.string(),
  email: z.string(),
  company: z.string(),
  volume: z.string(),
  message: z.string(),
  state: z.enum(leadStates),
  createdAt: z.iso.datetime(),
  link: z.object({ interval: z.enum(billingIntervals), sentAt: z.iso.datetime() }).nullable(),
});
export type AdminLead = z.infer<typeof adminLeadSchema>;

const leadFilter = {
  /** Matches part of the name, email address, or company. */
  search: lineSchema.max(limits.searchLength).optional(),
  ...makeFilterFields('leads'),
};
export const leadsQuerySchema = z.object({ ...leadFilter, ...tablePageFields });
export const leadsExportSchema = z.object({ ...leadFilter, ...makeExportFields('leads') });

const interval = z.enum(billingIntervals);
export const sendCheckoutLinkBodySchema = z.strictObject({ interval });
export const inviteLeadBodySchema = z.strictObject({ email: emailSchema, interval });
