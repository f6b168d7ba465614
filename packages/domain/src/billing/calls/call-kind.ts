import type { Tx } from '@uprez/db/database';
import type { CallRow } from '@uprez/db/queries/billing/billing-calls';
import type { StripeIds } from '@uprez/db/tables/billing-tables';
import type { Needs } from '../../context.ts';

export type CallContext = Needs<'db' | 'payments' | 'log'>;

/** A claimed call. `stripeIds` are the IDs of objects created by its completed steps. */
export type Call<Request> = Omit<CallRow, 'request' | 'accountId'> & { accountId: string; request: Request };

/**
 * A step of a call that changes one thing at Stripe. After a crash, it runs again with the same key. Everything in a
 * POST must come from `call`, because Stripe rejects a known key with different parameters.
 */
export type Step<Request> = {
  name: string;
  /** Changes something at Stripe with this key. Returns the IDs to store. Must not return secrets. */
  send: (ctx: CallContext, call: Call<Request>, idempotencyKey: string) => Promise<StripeIds>;
  /** Looks for the effect of a request whose key can no longer be used. Returns undefined if there is none. */
  find: (ctx: CallContext, call: Call<Request>) => Promise<StripeIds | undefined>;
  /**
   * Writes other rows in the same transaction as the step. Locks `billing_customers` before `users`. Returns the IDs to
   * store if they differ from those of the request.
   */
  store?: (tx: Tx, call: Call<Request>, ids: StripeIds) => Promise<StripeIds | undefined>;
  /** Whether an earlier step requires this one, so that it must be sent even after the call has expired. */
  isOwed?: true;
};

export type CallKind<Request> = {
  name: string;
  /** Slot in which an account can have only one open call. Null means no limit. */
  slot: 'purchase' | 'change' | 'email' | 'pack' | 'card' | null;
  /** Deadline in seconds. After it, only `isOwed` steps are still sent. */
  expiresS: number;
  steps: readonly Step<Request>[];
  /** Writes other rows in the same transaction as the call. If it throws, nothing is stored. */
  reserve?: (tx: Tx, call: { callId: string; accountId: string; request: Request }) => Promise<void>;
};

/**
 * Lease of a claimed call, in seconds. A process renews it while it waits for Stripe, so after a crash another process
 * takes over this soon.
 */
export const leaseS = 20;
