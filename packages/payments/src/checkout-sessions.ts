import * as z from 'zod';
import type { Payments } from './open-payments.ts';
import { type IdempotentInput, makeCalls, type Page, type PageInput } from './transport/calls.ts';
import {
  centsField,
  currencyField,
  metadataField,
  type Origin,
  optionalIdField,
  originMetadata,
  timeField,
  toOrigin,
  toSeconds,
} from './transport/fields.ts';

export type CheckoutSession = z.output<typeof sessionSchema>;

const sessionSchema = z
  .object({
    id: z.string(),
    mode: z.enum(['payment', 'subscription', 'setup']),
    status: z.enum(['open', 'complete', 'expired']),
    payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
    url: z.string().nullable(),
    customer: optionalIdField,
    subscription: optionalIdField,
    payment_intent: optionalIdField,
    invoice: optionalIdField,
    amount_total: centsField.nullable(),
    currency: currencyField.nullable(),
    expires_at: timeField,
    metadata: metadataField,
  })
  .transform((session) => ({
    id: session.id,
    mode: session.mode,
    status: session.status,
    paymentStatus: session.payment_status,
    /** Null once the session is complete or expired. */
    url: session.url,
    customerId: session.customer,
    subscriptionId: session.subscription,
    paymentIntentId: session.payment_intent,
    invoiceId: session.invoice,
    total: session.amount_total,
    currency: session.currency,
    expiresAt: session.expires_at,
    ...toOrigin(session.metadata),
  }));
const sessionCalls = makeCalls(sessionSchema);

export type NewCheckoutSession = Origin &
  IdempotentInput & {
    /** `payment`: a one-time purchase of a pack. */
    mode: 'subscription' | 'payment';
    customerId: string;
    priceId: string;
    promotionCodeId?: string | undefined;
    /** Origin of the web app, without a trailing slash. */
    publicUrl: string;
    expiresAt?: Date | undefined;
    collectsTax: boolean;
  };

/**
 * Starts a purchase on Stripe's hosted checkout page. Stripe's field for promotion codes is off, because our database
 * validates codes.
 */
export function createCheckoutSession(payments: Payments, input: NewCheckoutSession): Promise<CheckoutSession> {
  const { mode, customerId, priceId, promotionCodeId, publicUrl, expiresAt, collectsTax } = input;
  const metadata = originMetadata(input);
  return sessionCalls.post(payments, input, (stripe, options) =>
    stripe.checkout.sessions.create(
      {
        mode,
        customer: customerId,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: `${publicUrl}/dashboard?${mode === 'payment' ? 'purchase=pack&' : ''}checkout={CHECKOUT_SESSION_ID}`,
        cancel_url: `${publicUrl}/pricing`,
        metadata,
        ...(mode === 'subscription'
          ? { subscription_data: { billing_mode: { type: 'flexible' }, metadata } }
          : { invoice_creation: { enabled: true, invoice_data: { metadata } }, payment_intent_data: { metadata } }),
        ...(promotionCodeId && { discounts: [{ promotion_code: promotionCodeId }] }),
        ...(expiresAt && { expires_at: toSeconds(expiresAt) }),
        // Companies need their name, address, and tax number on invoices. Stripe stores them on the customer.
        billing_address_collection: 'required',
        customer_update: { address: 'auto', name: 'auto' },
        tax_id_collection: { enabled: true },
        ...(collectsTax && { automatic_tax: { enabled: true } }),
      },
      options,
    ),
  );
}

export const getCheckoutSession = (payments: Payments, sessionId: string): Promise<CheckoutSession> =>
  sessionCalls.get(payments, (stripe) => stripe.checkout.sessions.retrieve(sessionId));

/** Lists a customer's sessions, to find a session that was created although the response was lost. */
export const listCheckoutSessions = (
  payments: Payments,
  { customerId, after }: PageInput & { customerId: string },
): Promise<Page<CheckoutSession>> =>
  sessionCalls.list(payments, { after }, (stripe, page) =>
    stripe.checkout.sessions.list({ customer: customerId, ...page }),
  );

/**
 * Expires an open session. If the session is complete, Stripe rejects the call with `invalid_request`, and the caller
 * must read the session.
 */
export const expireCheckoutSession = (
  payments: Payments,
  input: IdempotentInput & { sessionId: string },
): Promise<CheckoutSession> =>
  sessionCalls.post(payments, input, (stripe, options) =>
    stripe.checkout.sessions.expire(input.sessionId, {}, options),
  );
