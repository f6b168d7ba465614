import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import { type Discount, termsOf } from './discounts.ts';
import type { InvoiceLine } from './invoice-lines.ts';

/**
 * Applies discounts to the lines of an invoice, one discount after another. Returns the lines with their discount
 * amounts.
 */
export function applyDiscounts(
  context: Context,
  lines: readonly InvoiceLine[],
  discounts: readonly Discount[],
): InvoiceLine[] {
  return discounts.reduce<InvoiceLine[]>((current, discount) => applyDiscount(context, current, discount), [...lines]);
}

function applyDiscount(context: Context, lines: readonly InvoiceLine[], discount: Discount): InvoiceLine[] {
  const { percent_off: percent, amount_off: amountOff } = termsOf(context, discount);
  let left = amountOff ?? 0;
  return lines.map((line) => {
    if (!isDiscounted(context, line, discount)) return line;
    const rest = line.amount - sumDiscounts(line);
    const amount = percent === null ? Math.min(left, rest) : Math.round((rest * percent) / 100);
    left -= amount;
    const discount_amounts = [...(line.discount_amounts ?? []), { amount, discount: discount.id }];
    return { ...line, discount_amounts, discounts: [...line.discounts, discount.id] };
  });
}

/**
 * Whether a discount applies to a line. A coupon may be limited to products. Credits for unused time aren't discounted
 * because they are already net of discounts.
 */
function isDiscounted({ store }: Context, line: InvoiceLine, { source }: Discount): boolean {
  const products = store.get('couponScopes', idOf(source.coupon) ?? '')?.appliesTo.products;
  const product = line.pricing?.price_details?.product ?? '';
  return line.discountable && (!products || products.includes(product));
}

/** Returns the total discount of a line in cents. */
export const sumDiscounts = ({ discount_amounts: amounts }: InvoiceLine): number =>
  (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
