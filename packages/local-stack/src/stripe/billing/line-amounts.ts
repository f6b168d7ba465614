import * as z from 'zod';
import type { Context } from '../context.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import { StripeError } from '../stripe-error.ts';
import { type Discount, getDiscountCoupon } from './discounts.ts';
import type { InvoiceLine } from './invoice-lines.ts';

/** Settings for automatic tax. The rate, as a percentage, applies to all customers and products. */
export const taxSettingsSchema = z.strictObject({ ratePercent: z.number().min(0).max(50) });

type Tax = NonNullable<InvoiceLine['taxes']>[number];

/** Returns the lines of an invoice with their tax, which is computed after discounts. Credits have negative tax. */
export function applyTax(context: Context, lines: readonly InvoiceLine[]): InvoiceLine[] {
  const percent = context.store.get('taxSettings', 'current')?.ratePercent ?? 0;
  return lines.map((line) => {
    const price = context.store.get('prices', line.pricing?.price_details?.price?.toString() ?? '');
    const isInclusive = price?.tax_behavior === 'inclusive';
    const net = line.amount - sumDiscounts(line);
    const amount = Math.round(isInclusive ? (net * percent) / (100 + percent) : (net * percent) / 100);
    const tax: Tax = {
      amount,
      tax_behavior: isInclusive ? 'inclusive' : 'exclusive',
      tax_rate_details: null,
      taxability_reason: percent === 0 ? 'not_collecting' : 'standard_rated',
      taxable_amount: isInclusive ? net - amount : net,
      type: 'tax_rate_details',
    };
    return { ...line, taxes: [tax] };
  });
}

/** Returns an invoice's taxes, totaled by tax behavior. */
export function sumTaxes(lines: readonly InvoiceLine[]): Tax[] {
  const sums = new Map<Tax['tax_behavior'], Tax>();
  for (const tax of lines.flatMap(({ taxes }) => taxes ?? [])) {
    const sum = sums.get(tax.tax_behavior);
    const { amount = 0, taxable_amount: taxable = 0 } = sum ?? {};
    const taxable_amount = (taxable ?? 0) + (tax.taxable_amount ?? 0);
    sums.set(tax.tax_behavior, { ...tax, amount: amount + tax.amount, taxable_amount });
  }
  return [...sums.values()];
}

/**
 * Whether a customer's address is sufficient to compute tax. Requires the country, and also the ZIP code in the US, or
 * the province or postal code in Canada.
 */
export function hasTaxLocation({ address }: Tables['customers']): boolean {
  const { country, postal_code: code, state } = address ?? {};
  if (country === 'US') return /^\d{5}(-\d{4})?$/.test(code ?? '');
  if (country === 'CA') return Boolean(state) || /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/i.test(code ?? '');
  return /^[A-Z]{2}$/.test(country ?? '');
}

/** Throws Stripe's error if a customer's address isn't sufficient to compute tax. */
export function requireTaxLocation(customer: Tables['customers'], param = 'automatic_tax'): void {
  if (hasTaxLocation(customer)) return;
  throw new StripeError(400, {
    type: 'invalid_request_error',
    code: 'customer_tax_location_invalid',
    param,
    message:
      "The customer's location isn't recognized. Set a valid customer address in order to automatically calculate tax.",
  });
}

/** Applies discounts to invoice lines, one discount after another. Returns the lines with their discount amounts. */
export function applyDiscounts(
  context: Context,
  lines: readonly InvoiceLine[],
  discounts: readonly Discount[],
): InvoiceLine[] {
  return discounts.reduce<InvoiceLine[]>((current, discount) => applyDiscount(context, current, discount), [...lines]);
}

function applyDiscount(context: Context, lines: readonly InvoiceLine[], discount: Discount): InvoiceLine[] {
  const { percent_off: percent, amount_off: amountOff } = getDiscountCoupon(context, discount);
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
 * Whether a discount applies to a line. A coupon may be limited to certain products. Credits for unused time aren't
 * discounted, because discounts have already been subtracted from them.
 */
function isDiscounted({ store }: Context, line: InvoiceLine, { source }: Discount): boolean {
  const products = store.get('couponScopes', idOf(source.coupon) ?? '')?.appliesTo.products;
  const product = line.pricing?.price_details?.product ?? '';
  return line.discountable && (!products || products.includes(product));
}

/** Returns the total discount on a line, in cents. */
export const sumDiscounts = ({ discount_amounts: amounts }: InvoiceLine): number =>
  (amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
