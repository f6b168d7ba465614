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

export type BillingTables = {
  prices: PricesTable;
};
