import { setTimeout } from 'node:timers/promises';
import type { Tx } from '@uprez/db/database';
import { lockAllowances } from '@uprez/db/locks';
import { completePaidCalls, completePaidPacks } from '@uprez/db/queries/billing/billing-calls';
import {
  type ClaimedCustomer,
  claimAccount,
  claimCustomer,
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
import { packReason } from '../../usage/ledger-reasons.ts';
import { reverseUnits } from '../../usage/reverse-units.ts';
import { decideMails } from '../mails/decide-mails.ts';
import { queueBillingMail } from '../mails/queue-billing-mail.ts';
import { settlePlan } from '../plan/settle-plan.ts';
import { type CustomerState, readCustomer } from './read-customer.ts';
import { retryDelayS } from './retry-delay.ts';
import { toRows } from './to-rows.ts';

/** A process that stops loses its customer after this time. Readers that take longer write nothing. */
const leaseS = 60;

export type SyncContext = Needs<'db' | 'payments' | 'log'>;

/**
 * Reads the customer that has waited longest from Stripe and stores what it says. Holds no database connection meanwhile.
 * Returns false if none is due. A read that failed is repeated later.
 */
export async function syncNextCustomer(ctx: SyncContext): Promise<boolean> {
  const claimed = await claimCustomer(ctx.db, leaseS);
  if (!claimed) return false;
  await syncClaimed(ctx, claimed);
  return true;
}

/**
 * Reads the customer of an account now, if it has one. A read that failed is repeated later. Returns false if another process
 * took the customer over meanwhile: then nothing is stored yet.
 */
export async function syncAccount(ctx: SyncContext, accountId: string): Promise<boolean> {
  const claimed = await claimAccount(ctx.db, accountId, leaseS);
  return claimed ? await syncClaimed(ctx, claimed) : true;
}

async function syncClaimed(ctx: SyncContext, claimed: ClaimedCustomer): Promise<boolean> {
  const { stripeId: customerId, failures } = claimed;
  try {
    const state = await readCustomer(ctx, customerId);
    const isStored = await ctx.db.transaction().execute((tx) => store(tx, claimed, state));
    if (!isStored) ctx.log.info({ customerId }, 'customer was claimed again while it was read');
    return isStored;
  } catch (error) {
    const delayS = retryDelayS(error, failures);
    ctx.log.warn({ err: error, customerId, failures: failures + 1, delayS }, 'reading a customer failed, will retry');
    await failClaim(ctx.db, claimed, { delayS, error: String(error) });
    return true;
  }
}

const isPaid = ({ status }: Subscription) => !['incomplete', 'incomplete_expired'].includes(status);

/** Stores the state of a claimed customer. Returns false if it was claimed again: then the state may be old. */
async function store(tx: Tx, claimed: ClaimedCustomer, state: CustomerState): Promise<boolean> {
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
  if (completed.accountId) await settle(tx, claimed, { accountId: completed.accountId, before });
  if (completed.accountId) await grantPacks(tx, completed.accountId, state.payments);
  // Events that arrived while Stripe was asked may be about changes after the reply.
  if (completed.isCurrent) await completeEvents(tx, claimed.stripeId);
  return true;
}

type Stored = { accountId: string; before: SyncedState };

/** Gives the account its plan, and queues emails about what changed. */
async function settle(tx: Tx, { stripeId, fence }: ClaimedCustomer, { accountId, before }: Stored): Promise<void> {
  await settlePlan(tx, accountId);
  const after = await readSyncedState(tx, stripeId);
  for (const mail of decideMails(before, after, fence)) await queueBillingMail(tx, accountId, mail);
}

/** Gives an account the units of packs that it paid, once per payment, and ends their purchases. Safe to repeat. */
export async function grantPacks(
  tx: Tx,
  accountId: string,
  payments: readonly Pick<Payment, 'id' | 'status' | 'callId'>[],
): Promise<void> {
  const paid = payments.filter(({ status }) => status === 'succeeded');
  const bought = await listBoughtPacks(tx, accountId, paid);
  if (bought.length === 0 || !(await lockAllowances(tx, accountId))) return;
  for (const { paymentId: ref, units, meter } of bought) {
    const reason = packReason({ units, meter });
    const row = { accountId, meter, units, reason, ref };
    const pack = { source: 'pack', tier: null, unitsLeft: units, cycle: 0, startsAt: now, expiresAt: null } as const;
    const given = await insertAllowance(tx, { ...row, ...pack });
    if (given) await insertLedgerRow(tx, { ...row, allowanceId: given.id, kind: 'grant' });
  }
  await completePaidPacks(tx, bought);
  // A payment may have been refunded before it was first read.
  await reverseUnits(tx, accountId);
}

const waitMs = 10_000;
const pollMs = 100;

/** Reads the customer of an account now, and returns when it is stored: by this process, or by one that took it over. */
export async function syncNow(ctx: SyncContext, accountId: string): Promise<void> {
  if (!(await syncAccount(ctx, accountId))) await awaitSync(ctx, accountId);
}

/** Waits until what changed at Stripe is stored. Reads the customer itself if no other process does. */
export async function awaitSync(ctx: SyncContext, accountId: string): Promise<void> {
  const untilMs = performance.now() + waitMs;
  while (performance.now() < untilMs) {
    const state = await readSyncState(ctx.db, accountId);
    if (!state || state.isCurrent) return;
    if (state.isLeased) await setTimeout(pollMs);
    else await syncAccount(ctx, accountId);
    // A read that failed is repeated later.
    if (state.failures > 0) return;
  }
}
