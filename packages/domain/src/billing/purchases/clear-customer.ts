import { AppError } from '@uprez/contracts/errors/app-error';
import { listCheckoutSessions } from '@uprez/payments/checkout-sessions';
import { listSubscriptions, type Subscription } from '@uprez/payments/subscriptions';
import type { CallContext } from '../calls/call-kind.ts';
import { endIncomplete, isEnded } from './end-incomplete.ts';
import { expireSession } from './expire-session.ts';
import type { PurchaseCall } from './purchase-kind.ts';

/**
 * Asks Stripe, because events may be late: throws AppError `already_subscribed` if the customer has a subscription of ours.
 * Ends what other calls left unpaid, so that only this one can be paid.
 */
export async function clearCustomer(ctx: CallContext, call: PurchaseCall): Promise<void> {
  const { customerId = '' } = call.stripeIds;
  const [subscriptions, sessions] = await Promise.all([
    listSubscriptions(ctx.payments, { customerId }),
    listCheckoutSessions(ctx.payments, { customerId }),
  ]);
  const others = subscriptions.items.filter((one) => one.price.isOurs && one.callId !== call.id && !isEnded(one));
  if (others.some(isPaid)) throw new AppError('already_subscribed');
  for (const { id } of others) if ((await endIncomplete(ctx, id)) === 'paid') throw new AppError('already_subscribed');
  const open = sessions.items.filter(
    ({ accountId, callId, mode, status }) =>
      accountId === call.accountId && callId !== call.id && mode === 'subscription' && status === 'open',
  );
  for (const { id } of open) if ((await expireSession(ctx, id)) === 'paid') throw new AppError('already_subscribed');
}

const isPaid = ({ status }: Subscription) => status !== 'incomplete';
