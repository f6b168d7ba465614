import { AppError } from '@uprez/contracts/errors/app-error';
import { insertFailedCall } from '@uprez/db/queries/billing/audited-calls';
import { type CallRow, endCall, releaseCall } from '@uprez/db/queries/billing/billing-calls';
import { markChangedAccount } from '@uprez/db/queries/billing/billing-customers';
import { retryDelayS } from '../mirror/retry-delay.ts';
import type { Call, CallContext, CallKind } from './call-kind.ts';
import { holdLease } from './hold-lease.ts';
import { runStep } from './run-step.ts';
import { isDefinite, toBillingError } from './to-billing-error.ts';

/**
 * Runs the remaining steps of a claimed call. A request that Stripe rejects fails the call. After any other error, the call
 * stays open: the dispatcher or the next request of the account continues it. Throws AppError.
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
  // Deleting an account deletes its customer, and with it everything that the call may have made.
  if (accountId === null) throw new AppError('user_not_found');
  // Stored by `openCall` for the same kind.
  return { ...row, accountId, request: row.request as Request };
}

async function closeAttempt(ctx: CallContext, row: CallRow, error: unknown): Promise<void> {
  if (isBusy(error)) return;
  if (!isDefinite(error)) return await releaseAttempt(ctx, row, error);
  const known = toBillingError(error);
  const errorCode = known instanceof AppError ? known.code : null;
  await ctx.db.transaction().execute(async (tx) => {
    const isEnded = await endCall(tx, row, { state: 'failed', error: String(error), errorCode });
    if (isEnded) await insertFailedCall(tx, row.id, errorCode ?? 'internal');
  });
  ctx.log.info({ err: error, callId: row.id, kind: row.kind }, 'billing call failed');
}

type Attempt = Pick<CallRow, 'id' | 'kind' | 'fence' | 'failures'>;

/** Leaves a call open after an error. It may be claimed at once, and the dispatcher continues it later. */
export async function releaseAttempt({ db, log }: CallContext, row: Attempt, error: unknown): Promise<void> {
  const delayS = retryDelayS(error, row.failures);
  const facts = { err: error, callId: row.id, kind: row.kind, failures: row.failures + 1, delayS };
  log.warn(facts, 'billing call failed, will retry');
  await releaseCall(db, row, { delayS, error: String(error) }).catch((reason: unknown) =>
    // Its lease expires.
    log.warn({ ...facts, reason: String(reason) }, 'billing call not released'),
  );
}

/** Another process has the call. */
const isBusy = (error: unknown) => error instanceof AppError && error.code === 'billing_busy';

/** Ends a call that succeeded, and marks its customer to be read again. */
export async function completeCall({ db }: CallContext, call: Call<unknown>): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await markChangedAccount(tx, call.accountId);
    await endCall(tx, call, { state: 'done' });
  });
}
