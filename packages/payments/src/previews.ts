import type Stripe from 'stripe';
import { type Invoice, invoiceSchema } from './invoices.ts';
import type { Payments } from './open-payments.ts';
import type { PriceChange } from './subscription-changes.ts';
import { type IdempotentInput, makeCalls } from './transport/calls.ts';
import { toDiscountParams, toSeconds } from './transport/fields.ts';

const preview = (payments: Payments, input: IdempotentInput, params: Stripe.InvoiceCreatePreviewParams) =>
  makeCalls(invoiceSchema).post(payments, input, (stripe, options) => stripe.invoices.createPreview(params, options));

/** Previews the first invoice of a new subscription. Nothing is created or charged. */
export function previewSubscription(
  payments: Payments,
  input: IdempotentInput & {
    customerId: string;
    priceId: string;
    promotionCodeId?: string | undefined;
    collectsTax: boolean;
  },
): Promise<Invoice> {
  const { customerId, priceId, promotionCodeId, collectsTax } = input;
  return preview(payments, input, {
    customer: customerId,
    subscription_details: { items: [{ price: priceId }], billing_mode: { type: 'flexible' } },
    ...(promotionCodeId && { discounts: [{ promotion_code: promotionCodeId }] }),
    ...(collectsTax && { automatic_tax: { enabled: true } }),
  });
}

/** Previews the invoice that `upgradeSubscription` would create with the same `prorationDate`. */
export function previewUpgrade(
  payments: Payments,
  input: IdempotentInput & PriceChange & { subscriptionId: string; prorationDate: Date },
): Promise<Invoice> {
  const { subscriptionId, itemId, priceId, prorationDate } = input;
  return preview(payments, input, {
    subscription: subscriptionId,
    subscription_details: {
      items: [{ id: itemId, price: priceId }],
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'always_invoice',
      proration_date: toSeconds(prorationDate),
    },
    ...toDiscountParams(input),
  });
}

/** Previews the invoice that `restartBillingCycle` would create. */
export function previewRestart(
  payments: Payments,
  input: IdempotentInput & PriceChange & { subscriptionId: string },
): Promise<Invoice> {
  const { subscriptionId, itemId, priceId } = input;
  return preview(payments, input, {
    subscription: subscriptionId,
    subscription_details: {
      items: [{ id: itemId, price: priceId }],
      billing_cycle_anchor: { type: 'now' },
      proration_behavior: 'none',
    },
    ...toDiscountParams(input),
  });
}

/** Previews the next invoice of a subscription, including a scheduled downgrade and active discounts. */
export const previewRenewal = (
  payments: Payments,
  input: IdempotentInput & { subscriptionId: string },
): Promise<Invoice> => preview(payments, input, { subscription: input.subscriptionId });
