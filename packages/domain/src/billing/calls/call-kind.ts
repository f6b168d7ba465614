import type { Tx } from '@uprez/db/database';
import type { CallRow } from '@uprez/db/queries/billing/billing-calls';
import type { StripeIds } from '@uprez/db/tables/billing-tables';
import type { Needs } from '../../context.ts';

export type CallContext = Needs<'db' | 'payments' | 'log'>;

/** A claimed call. `stripeIds` contains the IDs of objects at Stripe that its completed steps have stored. */
export type Call<Request> = Omit<CallRow, 'request' | 'accountId'> & { accountId: string; request: Request };

/**
 * A step of a call, which changes one thing at Stripe. After a crash, the step runs again with the same idempotency
 * key. All parameters of a POST must come from `call`, because Stripe rejects a repeated key if the parameters differ.
 */
export type Step<Request> = {
  name: string;
  /** Changes something at Stripe with this idempotency key. Returns the IDs to store, and must not return secrets. */
  send: (ctx: CallContext, call: Call<Request>, idempotencyKey: string) => Promise<StripeIds>;
  /**
   * Looks for the effect of a request if its idempotency key can no longer be used. Returns undefined if the request
   * had no effect.
   */
  find: (ctx: CallContext, call: Call<Request>) => Promise<StripeIds | undefined>;
  /**
   * Writes other rows in the transaction that stores the step. Must lock `billing_customers` before `users`. Returns
   * the IDs to store if they differ from the IDs that `send` returned.
   */
  store?: (tx: Tx, call: Call<Request>, ids: StripeIds) => Promise<StripeIds | undefined>;
  /** Whether an earlier step requires this step. If set, the step is sent even after the call has expired. */
  isOwed?: true;
};

export type CallKind<Request> = {
  name: string;
  /** Slot in which an account can have only one open call. Null means that the number of open calls isn't limited. */
  slot: 'purchase' | 'change' | 'email' | 'pack' | 'card' | null;
  /** Time until the call expires, in seconds. After that, only `isOwed` steps are still sent. */
  expiresS: number;
  steps: readonly Step<Request>[];
  /**
   * Writes other rows in the transaction that stores the call. If it throws, neither the rows nor the call are stored.
   */
  reserve?: (tx: Tx, call: { callId: string; accountId: string; request: Request }) => Promise<void>;
};

/**
 * Lease of a claimed call, in seconds. A process renews the lease while it waits for Stripe. After a crash, the lease
 * expires and another process takes over.
 */
export const leaseS = 20;
