import { AppError } from '@uprez/contracts/errors/app-error';
import { claimCall, endCall, listOpenCalls, releaseCall } from '@uprez/db/queries/billing/billing-calls';
import { findBillingAccount, findOwnSubscription } from '@uprez/db/queries/billing/own-billing';
import { getSetupIntent } from '@uprez/payments/payment-methods';
import { type CallContext, leaseS } from '../calls/call-kind.ts';
import type { Finisher } from '../calls/finish-next-call.ts';
import { openCall } from '../calls/open-call.ts';
import { readStripe } from '../calls/read-stripe.ts';
import { completeCall, runCall } from '../calls/run-call.ts';
import { retryDelayS } from '../mirror/retry-delay.ts';
import { cardKind, findConfirmedCard, intentKind } from './card-kind.ts';

const subscribed = ['active', 'past_due', 'unpaid'];

/** Starts to change the card of later bills. The browser confirms the new one with the secret. Throws AppError. */
export async function changeCard(ctx: CallContext, accountId: string): Promise<{ clientSecret: string }> {
  const customerId = (await findBillingAccount(ctx.db, accountId))?.customerId;
  const own = customerId ? await findOwnSubscription(ctx.db, customerId) : undefined;
  if (!customerId || !own || !subscribed.includes(own.status)) throw new AppError('no_subscription');
  const row = await openCall(ctx, intentKind, { accountId, request: { customerId, subscriptionId: own.id } });
  if (!row) throw new AppError('billing_busy');
  const call = await runCall(ctx, intentKind, row);
  const { clientSecret } = await readStripe(getSetupIntent(ctx.payments, call.stripeIds.setupIntentId ?? ''));
  await wait(ctx, call);
  if (clientSecret === null) throw new AppError('billing_unavailable');
  return { clientSecret };
}

/** The dispatcher looks again later: the customer may close the page after confirming the card. */
const wait = ({ db }: CallContext, call: Parameters<typeof releaseCall>[1] & { failures: number }) =>
  releaseCall(db, call, { delayS: retryDelayS(undefined, call.failures), error: 'The card is not confirmed.' });

/** Continues the change of a card: uses it if it is confirmed, waits until then, and ends when nobody confirms it. */
export const finishCard: Finisher = async (ctx, row) => {
  const { setupIntentId } = row.stripeIds;
  const isConfirmed = setupIntentId !== undefined && (await readStripe(findConfirmedCard(ctx, setupIntentId)));
  if (isConfirmed) await completeCall(ctx, await runCall(ctx, cardKind, row));
  else if (row.isExpired || !setupIntentId) await endCall(ctx.db, row, { state: 'failed', error: 'not confirmed' });
  else await wait(ctx, row);
};

/** Uses the cards that an account has confirmed since it began to change them. */
export async function finishCards(ctx: CallContext, accountId: string): Promise<void> {
  for (const id of await listOpenCalls(ctx.db, { accountId, kind: cardKind.name })) {
    const row = await claimCall(ctx.db, id, leaseS);
    // Its call has ended, or stays open for the dispatcher.
    if (row) await finishCard(ctx, row).catch(ignoreAppError);
  }
}

function ignoreAppError(error: unknown): void {
  if (!(error instanceof AppError)) throw error;
}
