import type { Tier } from '@uprez/contracts/policy/plans/plans';
import type { ChangePreview } from '@uprez/contracts/schemas/billing/billing';
import { readClock } from '@uprez/db/times';
import type { Needs } from '../../context.ts';
import { requireSynced, type SyncedCoupon } from '../coupons/coupon-rules.ts';
import { findTypedCoupon } from '../coupons/find-typed-coupon.ts';
import { presentBill } from '../present-bill.ts';
import { loadOwn } from './load-own.ts';
import { makeQuote } from './make-quote.ts';
import { findWantedPrice } from './plan-change.ts';
import { quoteEndsAt, sealQuote } from './quote.ts';

/** `typed`: coupon code, and the IP address by which guesses are counted. */
type Input = { accountId: string; priceId: string; typed?: { code: string; ipAddress: string } | undefined };

/** Returns what a plan change costs today and on the next bill. Changes and reserves nothing. Throws AppError. */
export async function previewChange(
  ctx: Needs<'db' | 'payments' | 'vault'>,
  { accountId, priceId, typed }: Input,
): Promise<ChangePreview> {
  const own = await loadOwn(ctx, accountId);
  const { price: current, currency } = own.subscription;
  const price = await findWantedPrice(ctx, { accountId, priceId, current });
  const coupon = typed ? await findCoupon(ctx, { ...typed, accountId, tier: price.tier }) : null;
  const quotedAtS = Math.floor(Number(await readClock(ctx.db)) / 1_000);
  const { quote, today, at, nextAt } = await makeQuote(ctx, { own, price, coupon, quotedAtS });
  const { id, tier, interval, amount } = price;
  return {
    previewId: sealQuote(ctx, accountId, quote),
    expiresAt: quoteEndsAt(quote).toISOString(),
    kind: quote.kind,
    plan: { tier, interval, priceId: id, price: { amount, currency } },
    at: at.toISOString(),
    today: today && (await presentBill(ctx, today)),
    next: { at: nextAt.toISOString(), amount: quote.next, currency },
  };
}

type Typed = { code: string; ipAddress: string; accountId: string; tier: Tier };

async function findCoupon(ctx: Needs<'db'>, { code, ipAddress, accountId, tier }: Typed): Promise<SyncedCoupon> {
  const coupon = await findTypedCoupon(ctx, { code, guesser: { accountId, ipAddress } });
  return await requireSynced(ctx.db, coupon, { accountId, tier });
}
