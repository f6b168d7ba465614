import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import type { Meter } from '@uprez/contracts/policy/plans/meters';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { Generated, JSONColumnType } from 'kysely';

/** A price at Stripe, of a version of a plan or of a pack. Prices that are no longer sold stay. */
export type PricesTable = {
  /** Stripe's. */
  id: string;
  tier: Tier | null;
  pack: string | null;
  /** What a pack gives. */
  packUnits: number | null;
  packMeter: Meter | null;
  interval: 'month' | 'year' | 'once';
  planVersion: number | null;
  /** Cents. */
  amount: number;
  currency: string;
  lookupKey: string;
  /** Whether it can be bought. */
  active: boolean;
  createdAt: Generated<Date>;
};

/** A customer at Stripe. It must be read again while `wanted` exceeds `mirrored`. */
export type BillingCustomersTable = {
  /** Stripe's. */
  stripeId: string;
  /** Null after the account was deleted. */
  accountId: string | null;
  /** Rises with each event. */
  wanted: Generated<number>;
  /** `wanted` when the stored state was read. */
  mirrored: Generated<number>;
  /** Rises with each claim. A reader writes only under its own. */
  fence: Generated<number>;
  leaseUntil: Date | null;
  /** When it may be read next. */
  notBefore: Generated<Date>;
  /** Failed reads since the last one that succeeded, and the error of the latest. */
  failures: Generated<number>;
  error: string | null;
  /** When a yearly plan was refunded in full. An account can do that once. */
  moneyBackAt: Date | null;
  /** SHA-256 of the email address that Stripe has. */
  emailDigest: string | null;
  createdAt: Generated<Date>;
  /** At Stripe, by us after its account was deleted, or by somebody else. */
  deletedAt: Date | null;
  /** The account before the customer was deleted at Stripe by somebody else. Its bills stay the account's. */
  formerAccountId: string | null;
};

/** A card whose payment is refunded under the money-back guarantee, or was. */
export type MoneyBackCardsTable = {
  /** SHA-256 of Stripe's fingerprint, which is equal for equal card numbers. */
  cardDigest: string;
  /** The call that claimed it last. Null after the refund: nothing leads to the account. */
  callId: string | null;
  refundedAt: Date | null;
};

/** Stripe's IDs by name, such as `subscriptionId`. */
export type StripeIds = Record<string, string>;

/** A call that changes something at Stripe, in one or more steps. */
export type BillingCallsTable = {
  id: string;
  /** Null after the account was deleted. */
  accountId: string | null;
  kind: string;
  /** What only one open call of the account may have; null: any number. */
  slot: string | null;
  /** Start of the Idempotency-Keys of its requests. */
  idempotencyKey: string;
  request: JSONColumnType<Record<string, unknown>>;
  /** The last step that was completed. */
  step: string | null;
  state: Generated<'open' | 'done' | 'failed'>;
  stripeIds: JSONColumnType<StripeIds, string | undefined>;
  /** Of the latest attempt that failed. */
  error: string | null;
  /** What it ended with, as the response has it. */
  errorCode: ErrorCode | null;
  /** Failed attempts since the last step. */
  failures: Generated<number>;
  /** Rises with each claim. A process writes only under its own. */
  fence: Generated<number>;
  leaseUntil: Date | null;
  /** When the dispatcher continues it. */
  notBefore: Generated<Date>;
  /** When it ends without success. */
  expiresAt: Date;
  createdAt: Generated<Date>;
  endedAt: Date | null;
  /** The row of the audit log of the administrator who started it. */
  auditId: string | null;
};

/** An event of Stripe, without its payload. */
export type StripeEventsTable = {
  /** Stripe's. */
  id: string;
  type: string;
  objectType: string;
  objectId: string | null;
  /** Null in events about refunds and disputes: their payment has the customer. */
  customerId: string | null;
  paymentIntentId: string | null;
  /** `ignored`: about nobody that is a customer here. */
  state: 'pending' | 'done' | 'ignored';
  /** `pull`: it never arrived, and was found in Stripe's list. */
  source: Generated<'webhook' | 'pull'>;
  /** Reads of its payment, and when the next one may start. */
  attempts: Generated<number>;
  notBefore: Generated<Date>;
  /** At Stripe. */
  createdAt: Date;
  receivedAt: Generated<Date>;
};

/** A subscription at Stripe to one of our prices, as it was read last. */
export type SubscriptionsTable = {
  /** Stripe's. */
  id: string;
  customerId: string;
  status: string;
  priceId: string;
  tier: Tier;
  planVersion: number;
  interval: 'month' | 'year';
  /** Cents. */
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
  /** The price that replaces this one, and when. */
  nextPriceId: string | null;
  nextAt: Date | null;
  /** An upgrade that waits for its payment, and until when. */
  pendingPriceId: string | null;
  pendingUntil: Date | null;
  cardBrand: string | null;
  cardLast4: string | null;
  cardExpMonth: number | null;
  cardExpYear: number | null;
  latestInvoiceId: string | null;
  /** Cents of the next bill, with discounts, tax, and credit. Null if none follows, or before it was read. */
  nextAmount: number | null;
  /** Since when a renewal is unpaid: the first attempt to collect it. */
  pastDueAt: Date | null;
  /** The invoice of that renewal. */
  pastDueInvoiceId: string | null;
  /** The day of dunning that was done last, counted from `pastDueAt`. */
  ladderStep: number | null;
  createdAt: Date;
  endedAt: Date | null;
  fetchedAt: Generated<Date>;
};

/** An invoice of a subscription or a pack. Amounts are cents. */
export type InvoicesTable = {
  /** Stripe's. */
  id: string;
  customerId: string;
  /** Null: of a pack. */
  subscriptionId: string | null;
  /** Null in drafts. */
  number: string | null;
  status: 'draft' | 'open' | 'paid' | 'uncollectible' | 'void';
  currency: string;
  subtotal: number;
  discount: number;
  tax: number;
  total: number;
  /** The total less the customer's credit. */
  due: number;
  paid: number;
  refunded: number;
  reason: string;
  /** Attempts to collect it. */
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  finalizedAt: Date | null;
  paidAt: Date | null;
  voidedAt: Date | null;
  fetchedAt: Generated<Date>;
};

/** A line of an invoice. Amounts are cents, negative for credits. */
export type InvoiceLinesTable = {
  /** Stripe's. */
  id: string;
  invoiceId: string;
  priceId: string | null;
  description: string | null;
  /** Before discounts. */
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
