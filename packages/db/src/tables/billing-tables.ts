import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated, JSONColumnType } from 'kysely';

/** A Stripe price of a plan version or a pack. Prices that are no longer sold are kept. */
export type PricesTable = {
  /** Stripe price ID. */
  id: string;
  tier: Tier | null;
  pack: string | null;
  /** Number of units in a pack, and their meter. */
  packUnits: number | null;
  packMeter: Meter | null;
  interval: 'month' | 'year' | 'once';
  planVersion: number | null;
  /** In cents. */
  amount: number;
  currency: string;
  lookupKey: string;
  active: boolean;
  createdAt: Generated<Date>;
};

/** A Stripe customer. The customer must be read again while `wanted` exceeds `mirrored`. */
export type BillingCustomersTable = {
  stripeId: string;
  /** Null once the account is deleted. */
  accountId: string | null;
  /** Incremented whenever the customer must be read again, such as after an event. */
  wanted: Generated<number>;
  /** Value of `wanted` when the stored state was read from Stripe. */
  mirrored: Generated<number>;
  /** Fencing token, incremented with each claim. A reader writes only while its token is current. */
  fence: Generated<number>;
  leaseUntil: Date | null;
  notBefore: Generated<Date>;
  /** Number of failed reads since the last successful read, and the latest error. */
  failures: Generated<number>;
  error: string | null;
  /** When a yearly plan was refunded in full. An account can get such a refund only once. */
  moneyBackAt: Date | null;
  /** SHA-256 of the customer's email address at Stripe. */
  emailDigest: string | null;
  createdAt: Generated<Date>;
  /** When the customer was deleted at Stripe, by us after the account was deleted or by somebody else. */
  deletedAt: Date | null;
  /**
   * The account of a customer that somebody else deleted at Stripe. The customer's bills still belong to the account.
   */
  formerAccountId: string | null;
};

/** A card with a payment that was refunded, or is being refunded, under the money-back guarantee. */
export type MoneyBackCardsTable = {
  /** SHA-256 of Stripe's card fingerprint, which is the same for the same card number. */
  cardDigest: string;
  /** The call that last claimed the card. Null after the refund, because nothing may identify the account then. */
  callId: string | null;
  refundedAt: Date | null;
};

/** Stripe's IDs by name, such as `subscriptionId`. */
export type StripeIds = Record<string, string>;

/** A call that changes something at Stripe, in one or more steps. */
export type BillingCallsTable = {
  id: string;
  /** Null once the account is deleted. */
  accountId: string | null;
  kind: string;
  /** An account can have only one open call per slot. The number of calls without a slot isn't limited. */
  slot: string | null;
  /** Prefix of the `Idempotency-Key` headers of the call's requests. */
  idempotencyKey: string;
  request: JSONColumnType<Record<string, unknown>>;
  step: string | null;
  state: Generated<'open' | 'done' | 'failed'>;
  stripeIds: JSONColumnType<StripeIds, string | undefined>;
  error: string | null;
  /** Error code of a failed call, as in the response. */
  errorCode: ErrorCode | null;
  /** Number of failed attempts since the last completed step. */
  failures: Generated<number>;
  /** Fencing token, incremented with each claim. A process writes only while its token is current. */
  fence: Generated<number>;
  leaseUntil: Date | null;
  /** Earliest time when the dispatcher continues the call. */
  notBefore: Generated<Date>;
  /** When the call fails if it hasn't been completed by then. */
  expiresAt: Date;
  createdAt: Generated<Date>;
  endedAt: Date | null;
  /** The audit log entry of the administrator who started the call. */
  auditId: string | null;
};

/** A Stripe event, without its payload. */
export type StripeEventsTable = {
  /** Stripe's ID. */
  id: string;
  type: string;
  objectType: string;
  objectId: string | null;
  /** Null for events about refunds and disputes. They belong to the customer of their payment. */
  customerId: string | null;
  paymentIntentId: string | null;
  /** `ignored`: the event isn't about a customer of this installation. */
  state: 'pending' | 'done' | 'ignored';
  /** `pull`: the event wasn't received by webhook and was found in Stripe's list. */
  source: Generated<'webhook' | 'pull'>;
  /** Number of times that the event's payment was read, and the earliest time of the next read. */
  attempts: Generated<number>;
  notBefore: Generated<Date>;
  /** When Stripe created the event. */
  createdAt: Date;
  receivedAt: Generated<Date>;
};

/** A Stripe subscription to one of our prices, as last read. */
export type SubscriptionsTable = {
  /** Stripe's ID. */
  id: string;
  customerId: string;
  status: string;
  priceId: string;
  tier: Tier;
  planVersion: number;
  interval: 'month' | 'year';
  /** In cents. */
  amount: number;
  currency: string;
  periodStart: Date;
  periodEnd: Date;
  anchor: Date;
  cancelAt: Date | null;
  cancelsAtPeriodEnd: boolean;
  cancelFeedback: string | null;
  cancelReason: string | null;
  isPaused: boolean;
  pausedUntil: Date | null;
  scheduleId: string | null;
  /** The price that will replace the current price, and when. */
  nextPriceId: string | null;
  nextAt: Date | null;
  /** The price of an upgrade that is waiting for its payment, and the payment deadline. */
  pendingPriceId: string | null;
  pendingUntil: Date | null;
  cardBrand: string | null;
  cardLast4: string | null;
  cardExpMonth: number | null;
  cardExpYear: number | null;
  latestInvoiceId: string | null;
  /**
   * Amount of the next bill, in cents, including discounts, tax, and credit. Null if no bill follows or the next bill
   * hasn't been read yet.
   */
  nextAmount: number | null;
  /** When the first attempt to collect an unpaid renewal was made. */
  pastDueAt: Date | null;
  pastDueInvoiceId: string | null;
  /** The last completed dunning day, counted from `pastDueAt`. */
  ladderStep: number | null;
  createdAt: Date;
  endedAt: Date | null;
  fetchedAt: Generated<Date>;
};

/** An invoice for a subscription or a pack. Amounts are in cents. */
export type InvoicesTable = {
  /** Stripe's ID. */
  id: string;
  customerId: string;
  /** Null for packs. */
  subscriptionId: string | null;
  /** Null for drafts. */
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** The total minus the customer's credit. */
  due: number;
  paid: number;
  refunded: number;
  reason: string;
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  finalizedAt: Date | null;
  paidAt: Date | null;
  voidedAt: Date | null;
  fetchedAt: Generated<Date>;
};

/** A line of an invoice. Amounts are in cents, and negative for credits. */
export type InvoiceLinesTable = {
  /** Stripe's ID. */
  id: string;
  invoiceId: string;
  priceId: string | null;
  description: string | null;
  /** Amount before discounts. */
  amount: number;
  discount: number;
  tax: number;
  periodStart: Date;
  periodEnd: Date;
  isProration: boolean;
};

export type BillingTables = {
  billingCalls: BillingCallsTable;
  billingCustomers: BillingCustomersTable;
  invoiceLines: InvoiceLinesTable;
  invoices: InvoicesTable;
  moneyBackCards: MoneyBackCardsTable;
  prices: PricesTable;
  stripeEvents: StripeEventsTable;
  subscriptions: SubscriptionsTable;
};
