import { randomUUID } from 'node:crypto';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { type Coupon, findCoupon } from '@uprez/payments/coupons';
import type { Invoice } from '@uprez/payments/invoices';
import { previewSubscription } from '@uprez/payments/previews';
import type { Subscription } from '@uprez/payments/subscriptions';
import type { Needs } from '../context.ts';
import { productIdOf } from './catalog.ts';

type NextBill = {
  /** Bill from which the tax rate is derived. This is the preceding bill, or another bill for the same subscription. */
  like: Pick<Invoice, 'subtotal' | 'discount' | 'tax'>;
  subscription: Pick<Subscription, 'customerId' | 'collectsTax'>;
  discounts: readonly Pick<Subscription['discounts'][number], 'couponId' | 'endsAt'>[];
  price: { id: string; tier: Tier; amount: number };
  at: Date;
  /** Customer balance in cents. Negative if the customer has credit. */
  balance: number;
};

/**
 * Estimates the amount due on the next bill for a price, in cents. Deducts customer credit and the discounts that still
 * apply, and includes tax.
 */
export async function estimateNextBill(ctx: Needs<'payments'>, next: NextBill): Promise<number> {
  const { price, balance } = next;
  const coupons = await listLastingCoupons(ctx, next);
  const net = coupons.reduce((rest, coupon) => subtractDiscount(rest, coupon), price.amount);
  if (net === 0) return Math.max(0, balance);
  const like = await findTaxedBill(ctx, next);
  const tax = Math.round((net * like.tax) / (like.subtotal - like.discount));
  return Math.max(0, net + tax + balance);
}

/** Can't use `like` if discounts reduce its subtotal to zero. */
async function findTaxedBill(
  { payments }: Needs<'payments'>,
  { like, subscription, price }: NextBill,
): Promise<NextBill['like']> {
  if (like.subtotal > like.discount) return like;
  const { customerId, collectsTax } = subscription;
  if (!collectsTax) return { subtotal: price.amount, discount: 0, tax: 0 };
  const idempotencyKey = `preview:${randomUUID()}`;
  return await previewSubscription(payments, { customerId, priceId: price.id, collectsTax, idempotencyKey });
}

async function listLastingCoupons(
  { payments }: Needs<'payments'>,
  { discounts, price, at }: NextBill,
): Promise<Coupon[]> {
  const coupons: Coupon[] = [];
  for (const { couponId, endsAt } of discounts) {
    const coupon = endsAt && endsAt <= at ? undefined : await findCoupon(payments, couponId);
    const isForPlan = coupon?.productIds.length === 0 || coupon?.productIds.includes(productIdOf(price.tier));
    if (coupon && isForPlan && coupon.duration.kind !== 'once') coupons.push(coupon);
  }
  return coupons;
}

function subtractDiscount(amount: number, { discount }: Coupon): number {
  const off = 'percent' in discount ? Math.round((amount * discount.percent) / 100) : discount.amount;
  return Math.max(0, amount - off);
}

/** Returns the customer's balance after a bill, in cents. Negative if the customer has credit. */
export const balanceAfter = ({
  startingBalance,
  total,
  due,
}: Pick<Invoice, 'startingBalance' | 'total' | 'due'>): number => startingBalance + total - due;
