import { createHash } from 'node:crypto';
import { AppError } from '@uprez/contracts/errors/app-error';
import { calculateDiscount, couponRules } from '@uprez/contracts/policy/billing/coupons';
import { type CouponOffer, couponCodeSchema } from '@uprez/contracts/schemas/billing/coupons';
import { formatWait } from '@uprez/contracts/texts/format';
import { type AttemptRule, readBlockedS, refundAttempts, takeAttempt } from '@uprez/db/queries/accounts/attempts';
import { listPlanPrices, type PlanPriceRow } from '@uprez/db/queries/billing/prices';
import { type CouponRow, findCouponByCode } from '@uprez/db/queries/coupons/coupons';
import type { Needs } from '../../context.ts';
import { discountOf, requireUsableCoupon, termsOf } from './coupon-rules.ts';

type CouponCheck = {
  code: string;
  /** ID of the price to buy, or the key of a plan. */
  priceId?: string | undefined;
  /** Billing interval if `priceId` is the key of a plan. Defaults to monthly. */
  interval?: PlanPriceRow['interval'] | undefined;
  guesser: CodeGuesser;
};

/**
 * Returns the discount for a code. Throws `price_not_found`, or the matching error for a code that can't be used.
 * Reserves nothing.
 */
export async function checkCoupon(
  ctx: Needs<'db'>,
  { code, priceId, interval = 'month', guesser }: CouponCheck,
): Promise<CouponOffer> {
  const price = priceId === undefined ? undefined : await findPrice(ctx, priceId, interval);
  const coupon = await findTypedCoupon(ctx, { code, guesser });
  await requireUsableCoupon(ctx.db, coupon, { accountId: guesser.accountId, tier: price?.tier });
  return { ...termsOf(coupon), plan: price ? toPlanOffer(coupon, price) : null };
}

async function findPrice(
  { db }: Needs<'db'>,
  priceId: string,
  interval: PlanPriceRow['interval'],
): Promise<PlanPriceRow> {
  const prices = await listPlanPrices(db);
  const price = prices.find((one) => one.id === priceId || (one.tier === priceId && one.interval === interval));
  if (!price) throw new AppError('price_not_found');
  return price;
}

function toPlanOffer(coupon: CouponRow, { tier, interval, amount: price, currency }: PlanPriceRow) {
  const discount = calculateDiscount(price, discountOf(coupon));
  return { tier, interval, price, discount, total: price - discount, currency };
}

/**
 * Returns the coupon for a code as the user entered it, in upper or lower case. Throws `coupon_not_found`, or
 * `rate_limited` after too many unknown codes.
 */
export async function findTypedCoupon(
  ctx: Needs<'db'>,
  { code, guesser }: { code: string; guesser: CodeGuesser },
): Promise<CouponRow> {
  await countGuess(ctx, guesser);
  const parsed = couponCodeSchema.safeParse(code);
  const coupon = parsed.success ? await findCouponByCode(ctx.db, parsed.data) : undefined;
  if (!coupon) throw new AppError('coupon_not_found');
  await returnGuess(ctx, guesser);
  return coupon;
}

/** Who enters a code. Guesses are counted for the account, if it is known, and for the IP address. */
type CodeGuesser = { accountId?: string | undefined; ipAddress: string };

const pauseS = couponRules.guessMinutes * 60;
const hash = (text: string) => createHash('sha256').update(text).digest('hex');

function rulesOf({ accountId, ipAddress }: CodeGuesser): AttemptRule[] {
  const rule = (subject: string, max: number): AttemptRule => ({ subject, max, pauseS, blockS: pauseS, growth: 1 });
  return [
    ...(accountId ? [rule(`coupon:account:${accountId}`, couponRules.accountGuesses)] : []),
    rule(`coupon:address:${hash(ipAddress)}`, couponRules.addressGuesses),
  ];
}

/**
 * Counts a guess before its code is looked up. Throws `rate_limited` with `meta.retryAfterS` after too many unknown
 * codes.
 */
async function countGuess({ db }: Needs<'db'>, guesser: CodeGuesser): Promise<void> {
  const counted: string[] = [];
  for (const rule of rulesOf(guesser)) {
    if (await takeAttempt(db, rule)) {
      counted.push(rule.subject);
      continue;
    }
    if (counted.length > 0) await refundAttempts(db, counted);
    const retryAfterS = Math.max(1, await readBlockedS(db, [rule.subject]));
    const detail = `Too many unknown codes. Try again ${formatWait(retryAfterS)}.`;
    throw new AppError('rate_limited', { detail, meta: { retryAfterS }, limitName: 'coupon_codes' });
  }
}

/** Removes a guess from the counts, because its code exists. */
const returnGuess = ({ db }: Needs<'db'>, guesser: CodeGuesser) =>
  refundAttempts(
    db,
    rulesOf(guesser).map(({ subject }) => subject),
  );
