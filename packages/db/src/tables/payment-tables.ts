import type { Generated } from 'kysely';

/** A payment at Stripe for an invoice or a pack, as it was read last. Amounts are cents. */
export type PaymentsTable = {
  /** Stripe's, of the payment intent. */
  id: string;
  customerId: string;
  /** Null before its invoice was read. */
  invoiceId: string | null;
  amount: number;
  received: number;
  /** Pending refunds included. */
  refunded: number;
  /** Taken back by lost disputes. */
  lost: Generated<number>;
  currency: string;
  /** Stripe's. */
  status: string;
  /** Such as `card` or `paypal`. */
  method: string | null;
  /** Such as `visa`; null for other methods. */
  cardBrand: string | null;
  cardLast4: string | null;
  /** Why the latest attempt failed: Stripe's code, and its sentence for the customer. */
  failureCode: string | null;
  failureMessage: string | null;
  isDisputed: boolean;
  createdAt: Date;
  fetchedAt: Generated<Date>;
};

/** A refund of a payment, made here or at Stripe. */
export type RefundsTable = {
  /** Stripe's. */
  id: string;
  paymentId: string;
  /** Cents. */
  amount: number;
  currency: string;
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  reason: string | null;
  failureReason: string | null;
  /** The call that made it; null: made at Stripe. */
  callId: string | null;
  createdAt: Date;
  fetchedAt: Generated<Date>;
};

/** A dispute of a payment. A lost one takes its amount back. */
export type DisputesTable = {
  /** Stripe's. */
  id: string;
  paymentId: string;
  /** Cents. */
  amount: number;
  currency: string;
  outcome: 'open' | 'won' | 'lost';
  /** When it was first read as lost. */
  lostAt: Date | null;
  reason: string;
  createdAt: Date;
  fetchedAt: Generated<Date>;
};

/** An email about billing that was queued. Its key keeps it from being queued again. */
export type BillingMailsTable = {
  key: string;
  accountId: string;
  createdAt: Generated<Date>;
};

/** A comparison of what is stored with Stripe: of its events, or of its subscriptions. */
export type StripeChecksTable = {
  id: Generated<number>;
  kind: 'events' | 'subscriptions';
  startedAt: Date;
  finishedAt: Generated<Date>;
  /** Objects that were compared. */
  checked: number;
  /** Objects that were missing or different. */
  found: number;
};

export type PaymentTables = {
  billingMails: BillingMailsTable;
  disputes: DisputesTable;
  payments: PaymentsTable;
  refunds: RefundsTable;
  stripeChecks: StripeChecksTable;
};
