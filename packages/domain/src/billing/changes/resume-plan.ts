import { AppError } from '@uprez/contracts/errors/app-error';
import { keepSubscription } from '@uprez/payments/subscription-changes';
import type { Needs } from '../../context.ts';
import type { CallContext, CallKind } from '../calls/call-kind.ts';
import { makeStateError } from '../calls/stripe-errors.ts';
import { readBilling } from '../own/read-billing.ts';
import { startOrAwait } from './await-same-change.ts';
import { changePlan } from './change-plan.ts';
import { loadOwnSubscription, requirePaidSubscription } from './load-own-subscription.ts';
import type { BillingResult } from './payment-outcome.ts';
import { isPeriodBilled } from './quote.ts';
import { clearPauseKind } from './resume-kinds.ts';
import { changeTimeoutS, continueOpenCall, findOpenKind, runChange } from './run-change.ts';
import { findBySubscription } from './shared-steps.ts';

/** Withdraws a cancellation. */
export const keepKind: CallKind<{ subscriptionId: string }> = {
  name: 'keep',
  slot: 'change',
  expiresS: changeTimeoutS,
  steps: [
    {
      name: 'keep',
      send: async ({ payments }, { request: { subscriptionId } }, idempotencyKey) => {
        await keepSubscription(payments, { subscriptionId, idempotencyKey });
        return {};
      },
      find: findBySubscription(({ cancelsAtPeriodEnd }) => !cancelsAtPeriodEnd),
    },
  ],
};

type Input = { accountId: string; previewId?: string | undefined };

/**
 * Keeps a canceled plan, or ends a pause. Ending a pause during a paid period is free. Otherwise, a new period starts
 * and is paid immediately. This requires `previewId`, the preview that shows its cost. Throws AppError.
 */
export async function resumePlan(ctx: CallContext & Needs<'vault'>, input: Input): Promise<BillingResult> {
  const { accountId, previewId } = input;
  if (previewId !== undefined) return await changePlan(ctx, { accountId, previewId });
  const change = { accountId, wanted: {} };
  await startOrAwait(ctx, { kinds: [keepKind, clearPauseKind], ...change }, async () => {
    const isClearing = (await findOpenKind(ctx, accountId)) === clearPauseKind.name;
    if (await continueOpenCall(ctx, isClearing ? clearPauseKind : keepKind, change)) return;
    const { subscription } = await loadOwnSubscription(ctx, accountId);
    const { id: subscriptionId, isPaused, cancelsAtPeriodEnd } = subscription;
    const kind = cancelsAtPeriodEnd ? keepKind : clearPauseKind;
    requirePaidSubscription(subscription);
    if (!cancelsAtPeriodEnd && !isPaused) throw makeStateError('Your plan is already active.');
    // Requires a preview, because the user must see the cost first.
    if (!cancelsAtPeriodEnd && !(await isPeriodBilled(ctx, subscription))) throw new AppError('preview_changed');
    await runChange(ctx, kind, { ...change, request: { subscriptionId } });
  });
  return { clientSecret: null, billing: await readBilling(ctx, accountId) };
}
