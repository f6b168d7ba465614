import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { type Selectable, sql } from 'kysely';
import type { Db, DbOrTx, Tx } from '../../database.ts';
import type { BillingCallsTable, StripeIds } from '../../tables/billing-tables.ts';
import { afterSeconds, now } from '../../times.ts';

const columns = [
  'id',
  'accountId',
  'kind',
  'slot',
  'idempotencyKey',
  'request',
  'step',
  'stripeIds',
  'failures',
  'fence',
  'expiresAt',
] as const;
const isExpired = sql<boolean>`expires_at <= now()`.as('isExpired');
const isLeased = sql<boolean>`coalesce(lease_until > now(), false)`.as('isLeased');

/** A billing call as seen by one process, which may write to it only while `fence` is unchanged. */
export type CallRow = Pick<Selectable<BillingCallsTable>, (typeof columns)[number]> & { isExpired: boolean };

export type NewCall = {
  id: string;
  accountId: string;
  kind: string;
  slot: string | null;
  idempotencyKey: string;
  request: object;
  /** Time until the call expires if it hasn't succeeded, in seconds. */
  expiresS: number;
  leaseS: number;
};

/** Stores a call and claims it. Returns undefined if the slot or the idempotency key is taken. */
export const insertCall = (db: DbOrTx, { expiresS, leaseS, request, ...call }: NewCall): Promise<CallRow | undefined> =>
  db
    .insertInto('billingCalls')
    .values({
      ...call,
      request: JSON.stringify(request),
      expiresAt: afterSeconds(expiresS),
      leaseUntil: afterSeconds(leaseS),
      notBefore: afterSeconds(leaseS),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning([...columns, isExpired])
    .executeTakeFirst();

/** Returns the open call in an account's slot. `isLeased`: whether a process holds its lease. */
export const findOpenCall = (
  db: DbOrTx,
  { accountId, slot }: { accountId: string; slot: string },
): Promise<(CallRow & { isLeased: boolean }) | undefined> =>
  db
    .selectFrom('billingCalls')
    .select([...columns, isExpired, isLeased])
    .where('accountId', '=', accountId)
    .where('slot', '=', slot)
    .where('state', '=', 'open')
    .executeTakeFirst();

export type CallState = CallRow & Pick<Selectable<BillingCallsTable>, 'state' | 'errorCode'> & { isLeased: boolean };

const selectStates = (db: DbOrTx) =>
  db.selectFrom('billingCalls').select([...columns, 'state', 'errorCode', isExpired, isLeased]);

export const findCall = (db: DbOrTx, id: string): Promise<CallState | undefined> =>
  selectStates(db).where('id', '=', id).executeTakeFirst();

/** Returns the latest call in an account's slot, even if it has ended. */
export const findLatestCall = (
  db: DbOrTx,
  { accountId, slot }: { accountId: string; slot: string },
): Promise<CallState | undefined> =>
  selectStates(db)
    .where('accountId', '=', accountId)
    .where('slot', '=', slot)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();

const isClaimable = sql<boolean>`(lease_until is null or lease_until <= now())`;

const buildClaimUpdate = (db: DbOrTx, leaseS: number) =>
  db
    .updateTable('billingCalls')
    .set((eb) => ({
      fence: eb('fence', '+', 1),
      leaseUntil: afterSeconds(leaseS),
      // After a crash, the dispatcher continues the call when the lease has expired.
      notBefore: afterSeconds(leaseS),
    }))
    .returning([...columns, isExpired]);

/** Claims an open call for `leaseS` seconds. Returns undefined if it has ended or another process holds its lease. */
export const claimCall = (db: DbOrTx, id: string, leaseS: number): Promise<CallRow | undefined> =>
  buildClaimUpdate(db, leaseS).where('id', '=', id).where('state', '=', 'open').where(isClaimable).executeTakeFirst();

/**
 * Claims the open call that has been due longest. Calls with failed attempts come last. Returns undefined if none is
 * due.
 */
export const claimDueCall = (db: Db, leaseS: number): Promise<CallRow | undefined> =>
  buildClaimUpdate(db, leaseS)
    .where('id', '=', (eb) =>
      eb
        .selectFrom('billingCalls')
        .select('id')
        .where('state', '=', 'open')
        .where('notBefore', '<=', now)
        .where(isClaimable)
        .orderBy(sql`failures > 0`)
        .orderBy('notBefore')
        .limit(1)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst();

type Claim = Pick<CallRow, 'id' | 'fence'>;
const updateClaimed = (db: DbOrTx, { id, fence }: Claim) =>
  db.updateTable('billingCalls').where('id', '=', id).where('fence', '=', fence).where('state', '=', 'open');

type CompletedStep = { step: string; stripeIds: StripeIds; leaseS: number };

/**
 * Stores that a step has been completed, and renews the lease. Returns undefined if another process has claimed the
 * call.
 */
export const saveStep = (tx: Tx, call: Claim, { step, stripeIds, leaseS }: CompletedStep) =>
  updateClaimed(tx, call)
    .set({
      step,
      stripeIds: sql`stripe_ids || ${JSON.stringify(stripeIds)}::jsonb`,
      failures: 0,
      error: null,
      leaseUntil: afterSeconds(leaseS),
      notBefore: afterSeconds(leaseS),
    })
    .returning([...columns, isExpired])
    .executeTakeFirst();

/** Renews the lease of a call during a long step. No-op if another process has claimed the call. */
export const renewCall = (db: Db, call: Claim, leaseS: number) =>
  updateClaimed(db, call)
    .where('leaseUntil', 'is not', null)
    .set({ leaseUntil: afterSeconds(leaseS), notBefore: afterSeconds(leaseS) })
    .execute();

/**
 * Stores a new prefix for the call's idempotency keys, because Stripe repeats an error under the previous ones. Returns
 * undefined if another process has claimed the call.
 */
export const saveCallKey = (db: Db, call: Claim, { key, leaseS }: { key: string; leaseS: number }) =>
  updateClaimed(db, call)
    .set({ idempotencyKey: key, leaseUntil: afterSeconds(leaseS), notBefore: afterSeconds(leaseS) })
    .returning([...columns, isExpired])
    .executeTakeFirst();

/**
 * Ends the lease of a call that failed. The call can be claimed immediately, and the dispatcher continues it in
 * `delayS` seconds.
 */
export const releaseCall = (db: Db, call: Claim, { delayS, error }: { delayS: number; error: string }) =>
  updateClaimed(db, call)
    .set((eb) => ({ leaseUntil: null, notBefore: afterSeconds(delayS), failures: eb('failures', '+', 1), error }))
    .execute();

/**
 * Ends the lease of a call that has completed its steps and is waiting for the customer. The dispatcher continues the
 * call when it expires.
 */
export const releaseCallUntilExpiry = (db: Db, call: Claim) =>
  updateClaimed(db, call)
    .set((eb) => ({ leaseUntil: null, notBefore: eb.ref('expiresAt') }))
    .execute();

type CallOutcome = { state: 'done' | 'failed'; error?: string | null; errorCode?: ErrorCode | null };

/**
 * Ends a call, and removes the email address and billing address from it, because nothing needs them anymore. If the
 * call failed, releases the coupon that it reserved, in the same statement. `errorCode`: the public error code. Returns
 * false if another process has claimed the call.
 */
export async function endCall(
  tx: DbOrTx,
  call: Claim,
  { state, error = null, errorCode = null }: CallOutcome,
): Promise<boolean> {
  const { rows } = await sql`
    with ended as (
      update billing_calls set state = ${state}, error = ${error}, error_code = ${errorCode}, lease_until = null,
        ended_at = now(), request = request - '{email,billingAddress}'::text[]
      where id = ${call.id} and fence = ${call.fence} and state = 'open' returning id
    ), released as (
      update coupon_redemptions set released_at = now() from ended
      where call_id = ended.id and ${state} = 'failed' and redeemed_at is null and released_at is null
      returning coupon_id
    ), freed as (
      update coupons set uses = uses - 1 from released where coupons.id = released.coupon_id
    )
    select id from ended`.execute(tx);
  return rows.length > 0;
}

/**
 * Makes the open purchases of suspended accounts due, and the dispatcher then ends them. `accountId`: limits this to
 * one account. Purchases with failures keep their retry delay.
 */
export const expediteSuspendedPurchases = (db: Db, accountId?: string) =>
  db
    .updateTable('billingCalls')
    .set({ notBefore: now })
    .where('state', '=', 'open')
    .where('slot', 'in', ['purchase', 'pack'])
    .where('notBefore', '>', now)
    .where('failures', '=', 0)
    .where(isClaimable)
    .where('accountId', 'in', (eb) => eb.selectFrom('users').select('id').where('suspendedAt', 'is not', null))
    .$if(accountId !== undefined, (query) => query.where('accountId', '=', accountId ?? null))
    .execute();

/**
 * Marks purchases of paid packs as done, even if they have ended, and stores their payments. `callId`: from Stripe
 * metadata, so it can be any string.
 */
export async function completePaidPacks(tx: Tx, paid: readonly { callId: string; paymentId: string }[]): Promise<void> {
  await sql`
    update billing_calls set state = 'done', lease_until = null, ended_at = coalesce(ended_at, now()), error = null,
      request = request - '{email,billingAddress}'::text[], stripe_ids = stripe_ids || jsonb_build_object('paymentId', paid.payment_id)
    from unnest(${paid.map(({ callId }) => callId)}::text[], ${paid.map(({ paymentId }) => paymentId)}::text[])
      as paid (call_id, payment_id)
    where id::text = paid.call_id and kind = 'pack'`.execute(tx);
}

/**
 * Marks open purchases as done when their subscriptions are paid. `ids`: from Stripe metadata, so they can be any
 * strings.
 */
export const completePaidCalls = (tx: Tx, ids: readonly string[]) =>
  tx
    .updateTable('billingCalls')
    .set({ state: 'done', leaseUntil: null, endedAt: now, request: sql`request - '{email,billingAddress}'::text[]` })
    .where(sql`id::text`, '=', sql<string>`any(${ids}::text[])`)
    .where('state', '=', 'open')
    .where('slot', '=', 'purchase')
    .execute();

/** Lists the IDs of an account's open calls of a kind, oldest first. */
export async function listOpenCalls(
  db: Db,
  { accountId, kind }: { accountId: string; kind: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('billingCalls')
    .select('id')
    .where('accountId', '=', accountId)
    .where('kind', '=', kind)
    .where('state', '=', 'open')
    .orderBy('createdAt')
    .execute();
  return rows.map(({ id }) => id);
}
