import type { Tx } from '@uprez/db/database';
import type { CallRow } from '@uprez/db/queries/billing/billing-calls';
import type { StripeIds } from '@uprez/db/tables/billing-tables';
import type { Needs } from '../../context.ts';

export type CallContext = Needs<'db' | 'payments' | 'log'>;

/** A claimed call. `stripeIds`: what its completed steps made. */
export type Call<Request> = Omit<CallRow, 'request' | 'accountId'> & { accountId: string; request: Request };

/**
 * A part of a call that changes one thing at Stripe. After a crash it runs again, with the same key. Everything that a POST
 * contains must come from `call`: Stripe refuses other parameters under a known key.
 */
export type Step<Request> = {
  name: string;
  /** Changes something at Stripe under this key. Returns the IDs to store. Must not return secrets. */
  send: (ctx: CallContext, call: Call<Request>, idempotencyKey: string) => Promise<StripeIds>;
  /** Looks for the effect of a request whose key can't be used anymore. Undefined: there is none. */
  find: (ctx: CallContext, call: Call<Request>) => Promise<StripeIds | undefined>;
  /**
   * Other rows that are written together with the step. Locks `billing_customers` before `users`. Returns the IDs to store
   * if they aren't those of the request.
   */
  store?: (tx: Tx, call: Call<Request>, ids: StripeIds) => Promise<StripeIds | undefined>;
  /** Whether it follows from an earlier step, so that it must be sent also after the call expired. */
  isOwed?: true;
};

export type CallKind<Request> = {
  name: string;
  /** What only one open call of an account may have. */
  slot: 'purchase' | 'change' | 'email' | 'pack' | 'card' | null;
  /** Time to succeed, seconds. Afterward no request is sent that wasn't sent before. */
  expiresS: number;
  steps: readonly Step<Request>[];
  /** Writes other rows together with that of the call. If it throws, nothing is stored. */
  reserve?: (tx: Tx, call: { callId: string; accountId: string; request: Request }) => Promise<void>;
};

/** How long a process has a call, seconds. It renews the lease while it waits for Stripe, so this is how soon others continue. */
export const leaseS = 20;
