import { AppError } from '@uprez/contracts/errors/app-error';
import { findOpenCall } from '@uprez/db/queries/billing/billing-calls';
import type { Call, CallContext, CallKind } from '../calls/call-kind.ts';
import { executeCall } from '../calls/run-call.ts';
import { awaitSync, syncNow } from '../sync/sync-customer.ts';
import { awaitSameChange, isSame, type WantedChange } from './await-same-change.ts';

/** Time during which a change can be continued after a crash or an outage at Stripe, in seconds. */
export const changeTimeoutS = 900;

type ChangeInput<Request> = WantedChange<Request> & { request: Request };

/**
 * Runs a change, then syncs the customer. Also syncs after an error, because some steps may have completed, but not if
 * Stripe is unavailable. If another request is making the same change, waits for it and returns its call.
 */
export async function runChange<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  { accountId, request, wanted }: ChangeInput<Request>,
): Promise<Call<Request>> {
  try {
    const call = await executeCall(ctx, kind, { accountId, request });
    await syncNow(ctx, accountId);
    return call;
  } catch (error) {
    if (hasCode(error, 'billing_busy')) return await awaitSameChange(ctx, kind, { accountId, wanted });
    if (!hasCode(error, 'billing_unavailable')) await syncNow(ctx, accountId);
    throw error;
  }
}

const hasCode = (error: unknown, code: AppError['code']) => error instanceof AppError && error.code === code;

/** Returns the name of the kind of change that an account has open, or undefined if none is open. */
export const findOpenKind = async ({ db }: Pick<CallContext, 'db'>, accountId: string): Promise<string | undefined> =>
  (await findOpenCall(db, { accountId, slot: 'change' }))?.kind;

/**
 * Continues the wanted change if it is already open. If another request is running it, waits for that request. Returns
 * undefined if no change is open. Throws AppError `billing_busy` if a different change is open.
 */
export async function continueOpenCall<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  { accountId, wanted }: WantedChange<Request>,
): Promise<Call<Request> | undefined> {
  const open = await findOpenCall(ctx.db, { accountId, slot: 'change' });
  if (!open) return undefined;
  if (!isSame(open, kind, wanted)) throw new AppError('billing_busy');
  if (open.isLeased) return await awaitSameChange(ctx, kind, { accountId, wanted });
  // `openCall` stored this request for a call of the same kind.
  return await runChange(ctx, kind, { accountId, request: open.request as Request, wanted });
}

/** Waits until a change has been completed and synced. Used if Stripe already shows the change. */
export async function awaitChange<Request extends object>(
  ctx: CallContext,
  kind: CallKind<Request>,
  change: WantedChange<Request>,
): Promise<void> {
  if (!(await continueOpenCall(ctx, kind, change))) await awaitSync(ctx, change.accountId);
}
