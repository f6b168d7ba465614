import { AppError } from '@uprez/contracts/errors/app-error';
import { type CallRow, endCall } from '@uprez/db/queries/billing/billing-calls';
import { markChangedAccount } from '@uprez/db/queries/billing/billing-customers';
import type { CallContext } from '../calls/call-kind.ts';
import { completeCall, holdLease, releaseAttempt, runCall } from '../calls/run-call.ts';
import { toBillingError } from '../calls/to-billing-error.ts';
import { buyHosted, buyPackKind } from './buy-hosted.ts';
import { buyInForm } from './buy-in-form.ts';
import type { PurchaseKind } from './purchase-kind.ts';

const kinds: Record<string, PurchaseKind<unknown>> = {
  [buyInForm.name]: buyInForm,
  [buyHosted.name]: buyHosted,
  [buyPackKind.name]: buyPackKind,
};

/** Returns the kind of a stored purchase. Throws if a newer version stored it. */
export function purchaseKindOf({ kind }: Pick<CallRow, 'kind'>): PurchaseKind<unknown> {
  const found = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
  if (!found) throw new AppError('billing_busy');
  return found;
}

/**
 * Ends a claimed purchase because it expired or another one replaces it. Completes its steps first, so that a request
 * in flight can't create anything that stays open. Throws AppError `already_subscribed` if it was paid.
 */
export async function closePurchase(ctx: CallContext, row: CallRow, reason: 'replaced' | 'expired'): Promise<void> {
  const kind = purchaseKindOf(row);
  const call = await runCall(ctx, kind, row);
  const end = await holdLease(ctx, call, () => kind.close(ctx, call)).catch(async (error: unknown) => {
    await releaseAttempt(ctx, call, error);
    throw toBillingError(error);
  });
  if (end === 'paid') {
    await completeCall(ctx, call);
    if (kind.isRepeatable) return;
    throw new AppError('already_subscribed');
  }
  await ctx.db.transaction().execute(async (tx) => {
    await markChangedAccount(tx, call.accountId);
    await endCall(tx, call, { state: 'failed', error: reason });
  });
}
