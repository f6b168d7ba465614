import { AppError } from '@uprez/contracts/errors/app-error';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../../context.ts';
import type { CallContext, CallKind } from '../calls/call-kind.ts';
import { readBilling } from '../own/read-billing.ts';
import { downgradeKind } from './downgrade-plan.ts';
import { findWantedPrice, type PlanPrice } from './find-wanted-price.ts';
import { loadOwn, type Own } from './load-own.ts';
import { makeQuote } from './make-quote.ts';
import { type BillingResult, presentOutcome } from './payment-outcome.ts';
import { type PlanChange, toPlanChange } from './plan-change.ts';
import { openQuote, type Quote } from './quote.ts';
import { restartKind } from './resume-kinds.ts';
import { continueOpen, runChange } from './run-change.ts';
import { upgradeKind } from './upgrade-plan.ts';

const kinds: Record<Quote['kind'], CallKind<PlanChange>> = {
  upgrade: upgradeKind,
  downgrade: downgradeKind,
  resume: restartKind,
};

type Input = { accountId: string; previewId: string; priceId?: string | undefined };

/** Changes the plan as its preview said. Repeating a change that succeeded does nothing. Throws AppError. */
export async function changePlan(ctx: CallContext & Needs<'vault'>, input: Input): Promise<BillingResult> {
  const { accountId } = input;
  const quote = await openQuote(ctx, input);
  const quotedAt = new Date(quote.quotedAtS * 1_000).toISOString();
  const kind = kinds[quote.kind];
  const open = await continueOpen(ctx, kind, { accountId, wanted: { priceId: quote.priceId, quotedAt } });
  if (open) return await presentOutcome(ctx, open);
  const own = await loadOwn(ctx, accountId);
  if (!own.account.emailVerified) throw new AppError('email_unverified');
  if (input.priceId !== undefined) {
    const { id } = await findWantedPrice(ctx, { priceId: input.priceId, current: own.subscription.price });
    if (id !== quote.priceId) throw new AppError('preview_changed');
  }
  if (isDone(own.subscription, quote)) return { clientSecret: null, billing: await readBilling(ctx, accountId) };
  const price = await findWantedPrice(ctx, { priceId: quote.priceId, current: own.subscription.price });
  await requireSame(ctx, { own, price, quote });
  const call = await runChange(ctx, kind, { accountId, request: toPlanChange(own, price, quotedAt) });
  return await presentOutcome(ctx, call);
}

/** Throws AppError `preview_changed` if the change does or costs something else than the user saw. */
async function requireSame(
  ctx: Needs<'db' | 'payments'>,
  { own, price, quote }: { own: Own; price: PlanPrice; quote: Quote },
) {
  const { quote: current } = await makeQuote(ctx, { own, price, quotedAtS: quote.quotedAtS });
  const names = ['kind', 'subscriptionId', 'today', 'next'] as const;
  if (names.some((name) => current[name] !== quote[name])) throw new AppError('preview_changed');
}

function isDone(
  { price, pending, next, periodStart, isPaused }: Subscription,
  { kind, priceId, quotedAtS }: Quote,
): boolean {
  if (kind === 'downgrade') return next?.priceId === priceId;
  return !pending && !isPaused && price.id === priceId && Number(periodStart) >= quotedAtS * 1_000;
}
