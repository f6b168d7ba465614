import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { idOf } from '../resources/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import type { Period } from './subscription-items.ts';

type Price = Tables['prices'];
export type InvoiceLine = Tables['invoices']['lines']['data'][number];

interface LineInput {
  price: Price;
  period: Period;
  /** Null in the preview of a new subscription. */
  subscription: string | null;
  subscriptionItem: string;
}

/** Returns the line of a whole period. */
export function makeLine(context: Context, input: LineInput): InvoiceLine {
  const { price } = input;
  const amount = price.unit_amount ?? 0;
  const interval = price.recurring?.interval ?? 'month';
  const description = `1 × ${productName(context, price)} (at $${(amount / 100).toFixed(2)} / ${interval})`;
  return { ...newLine(input), amount, subtotal: amount, description };
}

/**
 * Returns the line that gives back the unused time of an earlier line, to the second: what was billed less its discounts,
 * times the part of the period that is left. Undefined if nothing was billed. `period` is the unused time.
 */
export function makeCreditLine(
  context: Context,
  { credited, ...input }: LineInput & { credited: { invoice: string; line: InvoiceLine } },
): InvoiceLine | undefined {
  const { line, invoice } = credited;
  const discounts = (line.discount_amounts ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const part = (input.period.end - input.period.start) / (line.period.end - line.period.start);
  const amount = -Math.round((line.amount - discounts) * part);
  if (amount === 0) return undefined;
  const day = new Date(input.period.start * 1_000).toUTCString().slice(5, 16);
  const created = newLine(input);
  return {
    ...created,
    amount,
    subtotal: amount,
    description: `Unused time on ${productName(context, input.price)} after ${day}`,
    discountable: false,
    parent: {
      type: 'subscription_item_details',
      invoice_item_details: null,
      subscription_item_details: {
        invoice_item: null,
        proration: true,
        proration_details: { credited_items: { invoice, invoice_line_items: [line.id] } },
        subscription: input.subscription,
        subscription_item: input.subscriptionItem,
      },
    },
  };
}

const newLine = ({ price, period, subscription, subscriptionItem }: LineInput): InvoiceLine => ({
  id: makeId('il'),
  object: 'line_item',
  amount: 0,
  currency: price.currency,
  description: null,
  discount_amounts: [],
  discountable: true,
  discounts: [],
  invoice: null,
  livemode: false,
  metadata: {},
  parent: {
    type: 'subscription_item_details',
    invoice_item_details: null,
    subscription_item_details: {
      invoice_item: null,
      proration: false,
      proration_details: null,
      subscription,
      subscription_item: subscriptionItem,
    },
  },
  period,
  pretax_credit_amounts: [],
  pricing: {
    type: 'price_details',
    price_details: { price: price.id, product: idOf(price.product) },
    unit_amount_decimal: price.unit_amount_decimal,
  },
  quantity: 1,
  quantity_decimal: '1',
  subscription,
  subtotal: 0,
  taxes: [],
});

const productName = ({ store }: Context, price: Price): string =>
  store.get('products', idOf(price.product))?.name ?? price.id;
