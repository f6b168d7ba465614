import { AppError } from '@uprez/contracts/errors/app-error';
import { couponCodeSchema } from '@uprez/contracts/schemas/billing/coupons';
import { type CouponRow, findCouponByCode } from '@uprez/db/queries/coupons/coupons';
import type { Needs } from '../../context.ts';
import { type CodeGuesser, countGuess, returnGuess } from './guess-limit.ts';

/** The coupon of a code as typed, in any case. Throws `coupon_not_found`, and `rate_limited` after too many of them. */
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
