import { findUser } from '@uprez/db/queries/accounts/users';
import { type CallRow, releaseCallUntilExpiry } from '@uprez/db/queries/billing/billing-calls';
import type { CallContext } from './calls/call-kind.ts';
import { collectFinishers, type Finisher, makeFinisher } from './calls/finish-next-call.ts';
import { runCall } from './calls/run-call.ts';
import { cancelKind, endUnpaidKind } from './changes/cancel-plan.ts';
import { cardKind, finishCard } from './changes/change-card.ts';
import { downgradeKind, undoKind, upgradeKind } from './changes/change-plan.ts';
import { moneyBackKind } from './changes/money-back.ts';
import { pauseKind } from './changes/pause-plan.ts';
import { payKind } from './changes/pay-bill.ts';
import { clearPauseKind, restartKind } from './changes/resume-kinds.ts';
import { keepKind } from './changes/resume-plan.ts';
import { dunningFinishers } from './dunning/run-dunning.ts';
import { closePurchase, purchaseKindOf } from './purchases/start-purchase.ts';
import { refundAndCancelKind, refundKind } from './refunds/refund-kind.ts';
import { finishEmailChange } from './update-customers.ts';

const changeFinishers: readonly (readonly [kind: string, finish: Finisher])[] = [
  [cancelKind.name, makeFinisher(cancelKind)],
  [cardKind.name, finishCard],
  [clearPauseKind.name, makeFinisher(clearPauseKind)],
  [downgradeKind.name, makeFinisher(downgradeKind)],
  [endUnpaidKind.name, makeFinisher(endUnpaidKind)],
  [keepKind.name, makeFinisher(keepKind)],
  [moneyBackKind.name, makeFinisher(moneyBackKind)],
  [pauseKind.name, makeFinisher(pauseKind)],
  [payKind.name, makeFinisher(payKind)],
  [restartKind.name, makeFinisher(restartKind)],
  [undoKind.name, makeFinisher(undoKind)],
  [upgradeKind.name, makeFinisher(upgradeKind)],
];

/** Finishers by kind. The dispatcher uses them to continue open calls to Stripe. */
export const finishers = collectFinishers([
  ['subscribe', finishPurchase],
  ['checkout', finishPurchase],
  ['refund', makeFinisher(refundKind)],
  [refundAndCancelKind.name, makeFinisher(refundAndCancelKind)],
  ['pack', finishPurchase],
  ...changeFinishers,
  ...dunningFinishers,
  ['email', finishEmailChange],
]);

/**
 * Completes the steps of a purchase after a crash or an error. Ends the purchase if it has expired or its account has
 * been suspended.
 */
async function finishPurchase(ctx: CallContext, row: CallRow): Promise<void> {
  const user = row.accountId === null ? undefined : await findUser(ctx.db, row.accountId);
  if (row.isExpired || user?.suspendedAt) return await closePurchase(ctx, row, 'expired');
  await releaseCallUntilExpiry(ctx.db, await runCall(ctx, purchaseKindOf(row), row));
}
