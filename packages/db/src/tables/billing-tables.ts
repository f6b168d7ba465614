import type { Tier } from '@uprez/contracts/policy/plans';
import type { Generated } from 'kysely';

/** A price at Stripe, of a version of a plan or of a pack. Prices that are no longer sold stay. */
export type PricesTable = {
  /** Stripe's. */
  id: string;
  tier: Tier | null;
  pack: string | null;
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
  createdAt: Generated<Date>;
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
  /** At Stripe. */
  createdAt: Date;
  receivedAt: Generated<Date>;
};

export type BillingTables = {
  billingCustomers: BillingCustomersTable;
  prices: PricesTable;
  stripeEvents: StripeEventsTable;
};
