import { findUser } from '@uprez/db/queries/accounts/users';
import { type CallRow, holdCall } from '@uprez/db/queries/billing/billing-calls';
import type { CallContext } from '../calls/call-kind.ts';
import { runCall } from '../calls/run-call.ts';
import { closePurchase, purchaseKindOf } from './close-purchase.ts';

/** Completes the steps of a purchase after a crash or an error. Ends it when it expires, or its account was suspended. */
export async function finishPurchase(ctx: CallContext, row: CallRow): Promise<void> {
  const user = row.accountId === null ? undefined : await findUser(ctx.db, row.accountId);
  if (row.isExpired || user?.suspendedAt) return await closePurchase(ctx, row, 'expired');
  await holdCall(ctx.db, await runCall(ctx, purchaseKindOf(row), row));
}
