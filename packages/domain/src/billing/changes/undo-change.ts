import type { Billing } from '@uprez/contracts/schemas/billing/billing';
import type { CallContext, CallKind } from '../calls/call-kind.ts';
import { readBilling } from '../own/read-billing.ts';
import { loadOwn, requirePaid } from './load-own.ts';
import { awaitDone, changeS, continueOpen, runChange } from './run-change.ts';
import { type Withdrawal, withdrawalOf, withdrawalSteps } from './shared-steps.ts';

/** Withdraws a downgrade, and an upgrade that waits for its payment. */
export const undoKind: CallKind<Withdrawal> = {
  name: 'undo',
  slot: 'change',
  expiresS: changeS,
  steps: withdrawalSteps,
};

/** Withdraws changes of the plan that haven't taken effect. Does nothing if there are none. Throws AppError. */
export async function undoChange(ctx: CallContext, accountId: string): Promise<Billing> {
  const change = { accountId, wanted: {} };
  if (!(await continueOpen(ctx, undoKind, change))) {
    const { subscription } = await loadOwn(ctx, accountId);
    requirePaid(subscription);
    const request = withdrawalOf(subscription);
    if (request.scheduleId || request.pendingInvoiceId) await runChange(ctx, undoKind, { ...change, request });
    else await awaitDone(ctx, undoKind, change);
  }
  return await readBilling(ctx, accountId);
}
