import { setTimeout } from 'node:timers/promises';
import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { completePaidCalls, completePaidPacks } from '@uprez/db/queries/billing/billing-calls';
import {
  type ClaimedCustomer,
  claimCustomer,
  claimCustomerOfAccount,
  completeClaim,
  failClaim,
  readSyncState,
} from '@uprez/db/queries/billing/billing-customers';
import { listBoughtPacks } from '@uprez/db/queries/billing/bought-packs';
import { savePayments } from '@uprez/db/queries/billing/payments';
import { completeEvents } from '@uprez/db/queries/billing/stripe-events';
import { saveInvoices, saveSubscriptions } from '@uprez/db/queries/billing/subscriptions';
import { readSyncedState, type SyncedState } from '@uprez/db/queries/billing/synced-state';
import { redeemCoupons, settleChangeCoupons } from '@uprez/db/queries/coupons/redemptions';
import { insertAllowance } from '@uprez/db/queries/usage/allowances';
import { insertLedgerRow } from '@uprez/db/queries/usage/ledger';
import { now } from '@uprez/db/times';
import type { Payment } from '@uprez/payments/payment-intents';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import { formatPackReason } from '../../usage/ledger-reasons.ts';
import { reverseUnits } from '../../usage/reverse-units.ts';
import { decideMails, queueBillingMail } from '../billing-mails.ts';
import { computeRetryDelayS } from '../calls/stripe-errors.ts';
import { settlePlan } from '../plan/settle-plan.ts';
import { type CustomerState, readCustomer } from './read-customer.ts';
import { toRows } from './to-rows.ts';

/**
 * Lease of a claimed customer, in seconds. When the lease expires, another process can claim the customer, and the
 * first process then stores nothing.
 */
const leaseS = 60;

export type SyncContext = Needs<'db' | 'payments' | 'log'>;

/**
 * Claims the customer that has been waiting longest, reads it from Stripe, and stores its state. Holds no database
 * connection while reading. Returns false if no customer is due. A failed read is retried later.
 */
export async function syncNextCustomer(ctx: SyncContext): Promise<boolean> {
  const claimed = await claimCustomer(ctx.db, leaseS);
  if (!claimed) return false;
  await syncClaimed(ctx, claimed);
  return true;
}

/**
 * Reads an account's customer from Stripe immediately, if the account has one. A failed read is retried later. Returns
 * false if another process claimed the customer during the read. In that case, nothing is stored yet.
 */
export async function syncAccount(ctx: SyncContext, accountId: string): Promise<boolean> {
  const claimed = await claimCustomerOfAccount(ctx.db, accountId, leaseS);
  return claimed ? await syncClaimed(ctx, claimed) : true;
}

async function syncClaimed(ctx: SyncContext, claimed: ClaimedCustomer): Promise<boolean> {
  const { stripeId: customerId, failures } = claimed;
  try {
    const state = await readCustomer(ctx, customerId);
    const isStored = await ctx.db.transaction().execute((tx) => storeState(tx, claimed, state));
    if (!isStored) ctx.log.info({ customerId }, 'customer was claimed again while it was read');
    return isStored;
  } catch (error) {
    const delayS = computeRetryDelayS(error, failures);
    ctx.log.warn({ err: error, customerId, failures: failures + 1, delayS }, 'reading a customer failed, will retry');
    await failClaim(ctx.db, claimed, { delayS, error: String(error) });
    return true;
  }
}

const isPaid = ({ status }: Subscription) => !['incomplete', 'incomplete_expired'].includes(status);

/** Returns false and stores nothing if the customer was claimed again, because the state may be outdated. */
async function storeState(tx: Tx, claimed: ClaimedCustomer, state: CustomerState): Promise<boolean> {
  const completed = await completeClaim(tx, claimed);
  if (!completed) return false;
  const before = await readSyncedState(tx, claimed.stripeId);
  const { subscriptions, invoices, lines, ...payments } = toRows(claimed.stripeId, state);
  await saveSubscriptions(tx, subscriptions);
  await saveInvoices(tx, invoices, lines);
  await savePayments(tx, payments);
  const paid = state.subscriptions.filter(isPaid);
  await redeemCoupons(tx, paid);
  await settleChangeCoupons(tx, claimed.stripeId);
  await completePaidCalls(
    tx,
    paid.map(({ callId }) => callId ?? ''),
  );
  if (completed.accountId) await settleAccount(tx, claimed, { accountId: completed.accountId, before });
  if (completed.accountId) await grantPacks(tx, completed.accountId, state.payments);
  // Otherwise, events arrived during the read, and may be about later changes.
  if (completed.isCurrent) await completeEvents(tx, claimed.stripeId);
  return true;
}

type StoredState = { accountId: string; before: SyncedState };

async function settleAccount(
  tx: Tx,
  { stripeId, fence }: ClaimedCustomer,
  { accountId, before }: StoredState,
): Promise<void> {
  await settlePlan(tx, accountId);
  const after = await readSyncedState(tx, stripeId);
  for (const mail of decideMails(before, after, fence)) await queueBillingMail(tx, accountId, mail);
}

/** Grants an account the units of its paid packs, once per payment, and completes their purchases. Safe to repeat. */
export async function grantPacks(
  tx: Tx,
  accountId: string,
  payments: readonly Pick<Payment, 'id' | 'status' | 'callId'>[],
): Promise<void> {
  const paid = payments.filter(({ status }) => status === 'succeeded');
  const bought = await listBoughtPacks(tx, accountId, paid);
  if (bought.length === 0 || !(await lockAllowances(tx, accountId))) return;
  for (const { paymentId: ref, units, meter } of bought) {
    const reason = formatPackReason({ units, meter });
    const row = { accountId, meter, units, reason, ref };
    const pack = { source: 'pack', tier: null, unitsLeft: units, cycle: 0, startsAt: now, expiresAt: null } as const;
    const given = await insertAllowance(tx, { ...row, ...pack });
    if (given) await insertLedgerRow(tx, { ...row, allowanceId: given.id, kind: 'grant' });
  }
  await completePaidPacks(tx, bought);
  // A payment may have been refunded before its first sync.
  await reverseUnits(tx, accountId);
}

const waitMs = 10_000;
const pollMs = 100;

/**
 * Reads an account's customer from Stripe immediately. Returns once the state is stored, either by this process or by
 * another process that claimed the customer.
 */
export async function syncNow(ctx: SyncContext, accountId: string): Promise<void> {
  if (!(await syncAccount(ctx, accountId))) await awaitSync(ctx, accountId);
}

/**
 * Waits until changes at Stripe are stored, for at most `waitMs` milliseconds or until a read fails. Reads the customer
 * itself if no other process is reading it.
 */
export async function awaitSync(ctx: SyncContext, accountId: string): Promise<void> {
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs) {
    const state = await readSyncState(ctx.db, accountId);
    if (!state || state.isCurrent) return;
    if (state.isLeased) await setTimeout(pollMs);
    else await syncAccount(ctx, accountId);
    if (state.failures > 0) return;
  }
}
