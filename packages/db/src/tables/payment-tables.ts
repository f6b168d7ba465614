import type { Generated } from 'kysely';

/** A Stripe payment for an invoice or a pack, as last read. Amounts are in cents. */
export type PaymentsTable = {
  /** ID of Stripe's payment intent. */
  id: string;
  customerId: string;
  /** Null until the payment's invoice is read. */
  invoiceId: string | null;
  amount: number;
  received: number;
  /** Includes pending refunds. */
  refunded: number;
  /** Amount taken back by lost disputes. */
  lost: Generated<number>;
  currency: string;
  /** Stripe's status. */
  status: string;
  /** Such as `card` or `paypal`. */
  method: string | null;
  /** Such as `visa`. Null for other methods. */
  cardBrand: string | null;
  cardLast4: string | null;
  /** Stripe's error code of the latest failed attempt, and its message for the customer. */
  failureCode: string | null;
  failureMessage: string | null;
  isDisputed: boolean;
  createdAt: Date;
  fetchedAt: Generated<Date>;
};

/** A refund of a payment, created by an administrator or in the Stripe Dashboard. */
export type RefundsTable = {
  /** Stripe's ID. */
  id: string;
  paymentId: string;
  /** In cents. */
  amount: number;
  currency: string;
  status: 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';
  reason: string | null;
  failureReason: string | null;
  /** The call that created the refund. Null if it was created at Stripe. */
  callId: string | null;
  createdAt: Date;
  fetchedAt: Generated<Date>;
};

/** A dispute about a payment. If the dispute is lost, its amount is taken back. */
export type DisputesTable = {
  /** Stripe's ID. */
  id: string;
  paymentId: string;
  /** In cents. */
  amount: number;
  currency: string;
  outcome: 'open' | 'won' | 'lost';
  /** When the dispute was first read as lost. */
  lostAt: Date | null;
  reason: string;
  createdAt: Date;
  fetchedAt: Generated<Date>;
};

/** A billing email that was queued. The unique key prevents queuing it again. */
export type BillingMailsTable = {
  key: string;
  accountId: string;
  createdAt: Generated<Date>;
};

/** A comparison of stored events or subscriptions with Stripe's data. */
export type StripeChecksTable = {
  id: Generated<number>;
  kind: 'events' | 'subscriptions';
  startedAt: Date;
  finishedAt: Generated<Date>;
  checked: number;
  /** Number of objects that were missing or different. */
  found: number;
};

export type PaymentTables = {
  billingMails: BillingMailsTable;
  disputes: DisputesTable;
  payments: PaymentsTable;
  refunds: RefundsTable;
  stripeChecks: StripeChecksTable;
};
