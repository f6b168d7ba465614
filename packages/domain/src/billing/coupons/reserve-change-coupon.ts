import { AppError } from '@uprez/contracts/errors/app-error';
import type { Tier } from '@uprez/contracts/policy/plans';
import type { Tx } from '@uprez/db/database';
import { hasReservedUse, isCodeRedeemed } from '@uprez/db/queries/coupons/redemptions';
import { reserveCoupon } from './reserve-coupon.ts';

/** A change of a plan. `code`: a coupon's, in upper case; null: none. */
type CodedChange = { subscriptionId: string; tier: Tier; code: string | null };

/**
 * Reserves the use of a change's code, in the transaction of its call. Throws the error of a code that can't be used, and
 * `billing_busy` while another use of the account is open.
 */
export async function reserveChangeCoupon(
  tx: Tx,
  { callId, accountId, request }: { callId: string; accountId: string; request: CodedChange },
): Promise<void> {
  const { code, tier, subscriptionId } = request;
  if (!code) return;
  if (await isCodeRedeemed(tx, subscriptionId)) throw new AppError('coupon_second');
  // Both could be paid, but a subscription has one code.
  if (await hasReservedUse(tx, accountId)) throw new AppError('billing_busy');
  await reserveCoupon(tx, { code, tier, accountId, callId });
}
