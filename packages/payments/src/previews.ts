import { type Invoice, invoiceSchema } from './invoices.ts';
import type { Payments } from './open-payments.ts';
import type { PriceChange } from './subscription-changes.ts';
import { type IdempotentInput, parseReply, post } from './transport/calls.ts';
import { toDiscountParams, toSeconds } from './transport/fields.ts';

/** Previews the first invoice of a new subscription. Nothing is created or charged. */
export async function previewSubscription(
  payments: Payments,
  input: IdempotentInput & {
    customerId: string;
    priceId: string;
    promotionCodeId?: string | undefined;
    collectsTax: boolean;
  },
): Promise<Invoice> {
  const { customerId, priceId, promotionCodeId, collectsTax } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.invoices.createPreview(
      {
        customer: customerId,
        subscription_details: { items: [{ price: priceId }], billing_mode: { type: 'flexible' } },
        ...(promotionCodeId && { discounts: [{ promotion_code: promotionCodeId }] }),
        ...(collectsTax && { automatic_tax: { enabled: true } }),
      },
      options,
    ),
  );
  return parseReply(invoiceSchema, reply);
}

/** Previews the invoice that `upgradeSubscription` would create with the same `prorationDate`. */
export async function previewUpgrade(
  payments: Payments,
  input: IdempotentInput & PriceChange & { subscriptionId: string; prorationDate: Date },
): Promise<Invoice> {
  const { subscriptionId, itemId, priceId, prorationDate } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.invoices.createPreview(
      {
        subscription: subscriptionId,
        subscription_details: {
          items: [{ id: itemId, price: priceId }],
          billing_cycle_anchor: { type: 'now' },
          proration_behavior: 'always_invoice',
          proration_date: toSeconds(prorationDate),
        },
        ...toDiscountParams(input),
      },
      options,
    ),
  );
  return parseReply(invoiceSchema, reply);
}

/** Previews the invoice that `restartPeriod` would create. */
export async function previewRestart(
  payments: Payments,
  input: IdempotentInput & PriceChange & { subscriptionId: string },
): Promise<Invoice> {
  const { subscriptionId, itemId, priceId } = input;
  const reply = await post(payments, input, (stripe, options) =>
    stripe.invoices.createPreview(
      {
        subscription: subscriptionId,
        subscription_details: {
          items: [{ id: itemId, price: priceId }],
          billing_cycle_anchor: { type: 'now' },
          proration_behavior: 'none',
        },
        ...toDiscountParams(input),
      },
      options,
    ),
  );
  return parseReply(invoiceSchema, reply);
}

/** Previews the next invoice of a subscription, including a scheduled downgrade and active discounts. */
export async function previewRenewal(
  payments: Payments,
  input: IdempotentInput & { subscriptionId: string },
): Promise<Invoice> {
  const reply = await post(payments, input, (stripe, options) =>
    stripe.invoices.createPreview({ subscription: input.subscriptionId }, options),
  );
  return parseReply(invoiceSchema, reply);
}
