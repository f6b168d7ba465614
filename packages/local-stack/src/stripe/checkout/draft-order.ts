import { previewSubscription } from '../billing/create-subscription.ts';
import { type Discount, makeDiscounts } from '../billing/discounts.ts';
import { makeLine } from '../billing/invoice-lines.ts';
import { type Invoice, makeInvoice } from '../billing/make-invoice.ts';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import type { CheckoutOrder } from '../state/tables.ts';
import { invalidRequest } from '../stripe-error.ts';

type Order = Pick<CheckoutOrder, 'collectsTax' | 'customer' | 'discounts' | 'price'>;

/** Returns the first invoice of the subscription that an order creates. Nothing is stored. */
export const draftSubscriptionOrder = (context: Context, order: Order): Invoice => previewSubscription(context, order);

/** Returns the invoice of an order that is paid once. The balance of the customer isn't used. Nothing is stored. */
export function draftPaymentOrder(context: Context, order: Order): { draft: Invoice; discounts: Discount[] } {
  const { customer, collectsTax } = order;
  const price = getRow(context, 'prices', { id: order.price, param: 'line_items[0][price]' });
  if (price.recurring)
    throw invalidRequest(
      'You must provide at least one recurring price in `subscription` mode when using prices. You specified `payment` mode but passed a recurring price.',
      { param: 'mode' },
    );
  const now = context.now();
  const line = makeLine(context, {
    price,
    period: { start: now, end: now },
    subscription: null,
    subscriptionItem: null,
  });
  const discounts = makeDiscounts(context, order.discounts, { customer, subscription: null });
  const draft = makeInvoice(context, {
    customer,
    subscription: null,
    lines: [line],
    discounts,
    reason: 'manual',
    collectsTax,
  });
  const { total } = draft;
  return { draft: { ...draft, amount_due: total, amount_remaining: total, starting_balance: 0 }, discounts };
}
