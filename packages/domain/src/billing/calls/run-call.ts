import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '@uprez/contracts/errors/app-error';
import { insertFailedCall } from '@uprez/db/queries/audit/audit-log';
import {
  type CallRow,
  claimCall,
  endCall,
  findOpenCall,
  insertCall,
  releaseCall,
  renewCall,
  saveCallKey,
  saveStep,
} from '@uprez/db/queries/billing/billing-calls';
import { requestAccountSync } from '@uprez/db/queries/billing/billing-customers';
import type { StripeIds } from '@uprez/db/tables/billing-tables';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { type Call, type CallContext, type CallKind, leaseS, type Step } from './call-kind.ts';
import { computeRetryDelayS, isDefiniteFailure, isKeyLost, toBillingError } from './stripe-errors.ts';

type Opening<Request> = { accountId: string; request: Request };

/**
 * Stores a call before its first request is sent. Returns undefined if the account has an open call in the same slot.
 */
export async function openCall<Request extends object>(
  { db }: Needs<'db'>,
  { name, slot, expiresS, reserve }: CallKind<Request>,
  { accountId, request }: Opening<Request>,
): Promise<CallRow | undefined> {
  const id = uuidv7();
  const call = { id, accountId, kind: name, slot, idempotencyKey: id, request, expiresS, leaseS };
  if (!reserve) return await insertCall(db, call);
  return await db.transaction().execute(async (tx) => {
    const row = await insertCall(tx, call);
    if (row) await reserve(tx, { callId: id, accountId, request });
    return row;
  });
}

/**
 * Runs a call from start to end. If a call with the same request is still open after an error, continues that call.
 * Throws AppError, such as `billing_busy` if the account has another open call in the slot.
 */
export async function executeCall<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  opening: Opening<Request>,
): Promise<Call<Request>> {
  const row = (await openCall(ctx, kind, opening)) ?? (await claimSameCall(ctx, kind, opening));
  if (!row) throw new AppError('billing_busy');
  const call = await runCall(ctx, kind, row);
  await completeCall(ctx, call);
  return call;
}

async function claimSameCall<Request extends object>(
  { db }: Needs<'db'>,
  { name, slot }: CallKind<Request>,
  { accountId, request }: Opening<Request>,
): Promise<CallRow | undefined> {
  const open = slot ? await findOpenCall(db, { accountId, slot }) : undefined;
  if (!open || open.kind !== name || !isDeepStrictEqual(open.request, request)) return undefined;
  return await claimCall(db, open.id, leaseS);
}

/**
 * Runs the remaining steps of a claimed call. If Stripe rejects a request, the call fails. After any other error, the
 * call stays open, and the dispatcher or the account's next request continues it. Throws AppError.
 */
export async function runCall<Request>(
  ctx: CallContext,
  kind: CallKind<Request>,
  row: CallRow,
): Promise<Call<Request>> {
  try {
    let call = readCall<Request>(row);
    const done = kind.steps.findIndex(({ name }) => name === row.step);
    for (const step of kind.steps.slice(done + 1)) {
      const current = call;
      call = await holdLease(ctx, row, () => runStep(ctx, step, current));
    }
    return call;
  } catch (error) {
    await closeAttempt(ctx, row, error);
    throw toBillingError(error);
  }
}

function readCall<Request>(row: CallRow): Call<Request> {
  const { accountId } = row;
  // Deleting an account also deletes its customer at Stripe, including everything that the call may have created.
  if (accountId === null) throw new AppError('user_not_found');
  // `openCall` stored this request for a call of the same kind.
  return { ...row, accountId, request: row.request as Request };
}

async function closeAttempt(ctx: CallContext, row: CallRow, error: unknown): Promise<void> {
  if (isBusy(error)) return;
  if (!isDefiniteFailure(error)) return await releaseAttempt(ctx, row, error);
  const known = toBillingError(error);
  const errorCode = known instanceof AppError ? known.code : null;
  await ctx.db.transaction().execute(async (tx) => {
    const isEnded = await endCall(tx, row, { state: 'failed', error: String(error), errorCode });
    if (isEnded) await insertFailedCall(tx, row.id, errorCode ?? 'internal');
  });
  ctx.log.info({ err: error, callId: row.id, kind: row.kind }, 'billing call failed');
}

type Attempt = Pick<CallRow, 'id' | 'kind' | 'fence' | 'failures'>;

/**
 * Leaves a call open after an error. The account's next request can claim it immediately, and the dispatcher retries it
 * later.
 */
export async function releaseAttempt({ db, log }: CallContext, row: Attempt, error: unknown): Promise<void> {
  const delayS = computeRetryDelayS(error, row.failures);
  const facts = { err: error, callId: row.id, kind: row.kind, failures: row.failures + 1, delayS };
  log.warn(facts, 'billing call failed, will retry');
  await releaseCall(db, row, { delayS, error: String(error) }).catch((reason: unknown) =>
    // If releasing fails, the lease still expires on its own.
    log.warn({ ...facts, reason: String(reason) }, 'billing call not released'),
  );
}

const isBusy = (error: unknown) => error instanceof AppError && error.code === 'billing_busy';

/** Completes a call and marks its customer for sync. */
export async function completeCall({ db }: CallContext, call: Call<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await requestAccountSync(tx, call.accountId);
    await endCall(tx, call, { state: 'done' });
  });
}

/** Throws PaymentError, or AppError `billing_busy` if another process has claimed the call. */
async function runStep<Request>(ctx: CallContext, step: Step<Request>, call: Call<Request>): Promise<Call<Request>> {
  const ids = call.isExpired && !step.isOwed ? await findOrFail(ctx, step, call) : await sendOrFind(ctx, step, call);
  const row = await ctx.db.transaction().execute(async (tx) => {
    const stripeIds = (await step.store?.(tx, call, ids)) ?? ids;
    const saved = await saveStep(tx, call, { step: step.name, stripeIds, leaseS });
    if (!saved) throw new AppError('billing_busy');
    return saved;
  });
  // The account was deleted during the step. The call must not create anything else. Everything that it has created is
  // deleted along with the customer.
  if (row.accountId === null) throw new AppError('user_not_found');
  return { ...call, ...row, request: call.request, accountId: row.accountId };
}

const keyOf = (call: { idempotencyKey: string }, step: { name: string }) => `${call.idempotencyKey}:${step.name}`;

async function sendOrFind<Request>(ctx: CallContext, step: Step<Request>, call: Call<Request>): Promise<StripeIds> {
  try {
    return await step.send(ctx, call, keyOf(call, step));
  } catch (error) {
    if (!isKeyLost(error)) throw error;
    ctx.log.warn({ err: error, callId: call.id, step: step.name }, 'key of a billing call lost');
    return (await step.find(ctx, call)) ?? (await sendUnderNewKey(ctx, step, call));
  }
}

async function sendUnderNewKey<Request>(ctx: CallContext, step: Step<Request>, call: Call<Request>) {
  const row = await saveCallKey(ctx.db, call, { key: randomUUID(), leaseS });
  if (!row) throw new AppError('billing_busy');
  return await step.send(ctx, call, keyOf(row, step));
}

/**
 * Looks for the effect of a step after its call has expired, because a request without a reply may have succeeded. If
 * the step had no effect, throws instead of sending a late request.
 */
async function findOrFail<Request>(ctx: CallContext, step: Step<Request>, call: Call<Request>): Promise<StripeIds> {
  const ids = await step.find(ctx, call);
  if (!ids)
    throw new AppError('billing_unavailable', { detail: "The change wasn't completed in time. Start it again." });
  return ids;
}

const renewIntervalMs = (leaseS * 1_000) / 4;

/**
 * Renews the lease of a claimed call while `work` waits for Stripe. Uses a database connection only during each
 * renewal.
 */
export async function holdLease<Result>(
  { db, log }: Pick<CallContext, 'db' | 'log'>,
  call: Pick<CallRow, 'id' | 'fence'>,
  work: () => Promise<Result>,
): Promise<Result> {
  const renew = () =>
    renewCall(db, call, leaseS).catch((error: unknown) =>
      // A failed renewal is harmless. If the lease expires, another process continues the call with the same
      // idempotency keys.
      log.warn({ err: error, callId: call.id }, 'lease of a billing call not renewed'),
    );
  const timer = setInterval(() => void renew(), renewIntervalMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
