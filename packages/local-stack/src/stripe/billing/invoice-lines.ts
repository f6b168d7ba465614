import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Tables } from '../state/tables.ts';
import type { Period } from './subscription-items.ts';

type Price = Tables['prices'];
export type InvoiceLine = Tables['invoices']['lines']['data'][number];

interface LineInput {
  price: Price;
  period: Period;
  /** Null for one-time payments. */
  subscription: string | null;
  /** Null for one-time payments. */
  subscriptionItem: string | null;
}

/** Returns the invoice line for a whole period or for a one-time price. */
export function makeLine(context: Context, input: LineInput): InvoiceLine {
  const { price } = input;
  const amount = price.unit_amount ?? 0;
  const rate = price.recurring ? ` (at $${(amount / 100).toFixed(2)} / ${price.recurring.interval})` : '';
  const description = `1 × ${productName(context, price)}${rate}`;
  return { ...makeBaseLine(input), amount, subtotal: amount, description };
}

/**
 * Returns a line that credits the unused time of an earlier line, which is `period`. The credit is the billed amount
 * after discounts, times the unused share of the line's period, prorated to the second. Returns undefined if nothing
 * was billed.
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
  const proration_details = { credited_items: { invoice, invoice_line_items: [line.id] } };
  return {
    ...makeBaseLine(input),
    amount,
    subtotal: amount,
    description: `Unused time on ${productName(context, input.price)} after ${day}`,
    discountable: false,
    parent: makeLineParent(input, proration_details),
  };
}

type Parent = NonNullable<InvoiceLine['parent']>;
type ProrationDetails = NonNullable<Parent['subscription_item_details']>['proration_details'];

/** `prorates` identifies the credited line. Null for lines that aren't credits. */
function makeLineParent({ subscription, subscriptionItem }: LineInput, prorates: ProrationDetails = null): Parent {
  const details = { proration: prorates !== null, proration_details: prorates, subscription };
  if (subscriptionItem === null) {
    const invoice_item_details = { ...details, invoice_item: makeId('ii') };
    return { type: 'invoice_item_details', invoice_item_details, subscription_item_details: null };
  }
  const subscription_item_details = { ...details, invoice_item: null, subscription_item: subscriptionItem };
  return { type: 'subscription_item_details', invoice_item_details: null, subscription_item_details };
}

const makeBaseLine = (input: LineInput): InvoiceLine => ({
  id: makeId('il'),
  object: 'line_item',
  amount: 0,
  currency: input.price.currency,
  description: null,
  discount_amounts: [],
  discountable: true,
  discounts: [],
  invoice: null,
  livemode: false,
  metadata: {},
  parent: makeLineParent(input),
  period: input.period,
  pretax_credit_amounts: [],
  pricing: {
    type: 'price_details',
    price_details: { price: input.price.id, product: idOf(input.price.product) },
    unit_amount_decimal: input.price.unit_amount_decimal,
  },
  quantity: 1,
  quantity_decimal: '1',
  subscription: input.subscription,
  subtotal: 0,
  taxes: [],
});

const productName = ({ store }: Context, price: Price): string =>
  store.get('products', idOf(price.product))?.name ?? price.id;
