import { recordPayment } from '../billing/record-payment.ts';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { attachPaymentMethod } from '../resources/payment-methods.ts';
import type { Decline } from '../resources/test-cards.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { catchDecline, DeclinedError, invalidRequestError } from '../stripe-error.ts';
import { cardError, findDecline, isAuthenticationNeeded, markSetUp } from './card-outcomes.ts';
import { makeNextAction } from './next-action.ts';

type PaymentIntent = Tables['paymentIntents'];

export interface Confirmation {
  method: Tables['paymentMethods'];
  /** Whether the customer is absent and can't authenticate. */
  isOffSession: boolean;
  /** URL to which the payment method's page redirects. */
  returnUrl?: string | undefined;
  isAuthenticated?: boolean;
}

const confirmableStatuses = ['requires_payment_method', 'requires_confirmation', 'requires_action'];

/** If the card is declined, stores the failed charge and its events, and throws Stripe's error. */
function confirmPaymentIntent(context: Context, before: PaymentIntent, confirmation: Confirmation): PaymentIntent {
  const { method, isOffSession, isAuthenticated = false, returnUrl } = confirmation;
  if (!confirmableStatuses.includes(before.status))
    throw invalidRequestError(
      `This PaymentIntent's payment_method could not be updated because it has a status of ${before.status}.`,
      { code: 'payment_intent_unexpected_state' },
    );
  const intent = { ...before, payment_method: method.id };
  const needsAuthentication = !isAuthenticated && isAuthenticationNeeded(context, method.id);
  if (needsAuthentication && !isOffSession) return markActionRequired(context, { intent, method, returnUrl });
  const decline = needsAuthentication ? authenticationRequired : findDecline(context, method.id);
  const charge = chargeCard(context, { intent, method, decline });
  if (decline) {
    const failed = failPaymentIntent(context, { intent, method, decline, charge: charge.id });
    throw cardError(decline, { payment_intent: failed });
  }
  const customer = idOf(intent.customer);
  if (customer && intent.setup_future_usage) {
    attachPaymentMethod(context, method, customer);
    markSetUp(context, method.id);
  }
  return context.save('paymentIntents', 'payment_intent.succeeded', {
    ...intent,
    amount_received: intent.amount,
    last_payment_error: null,
    latest_charge: charge.id,
    next_action: null,
    status: 'succeeded',
  });
}

const authenticationRequired: Decline = {
  code: 'authentication_required',
  declineCode: 'authentication_required',
  message: 'Your card was declined. This transaction requires authentication.',
};

type RequiredActionInput = Parameters<typeof makeNextAction>[1] & { intent: PaymentIntent };

function markActionRequired(context: Context, { intent, ...confirmation }: RequiredActionInput): PaymentIntent {
  return context.save('paymentIntents', 'payment_intent.requires_action', {
    ...intent,
    next_action: makeNextAction(context, { intent, ...confirmation }),
    status: 'requires_action',
  });
}

interface Failure {
  intent: PaymentIntent;
  method: Tables['paymentMethods'];
  decline: Decline;
  /** ID of the failed charge, if the card was charged. */
  charge?: string;
}

/** Records a failed payment and sets the intent's status to `requires_payment_method`. */
export function failPaymentIntent(context: Context, { intent, method, decline, charge }: Failure): PaymentIntent {
  return context.save('paymentIntents', 'payment_intent.payment_failed', {
    ...intent,
    last_payment_error: {
      type: decline.code === 'payment_intent_authentication_failure' ? 'invalid_request_error' : 'card_error',
      code: decline.code,
      message: decline.message,
      payment_method: method,
      ...(charge && { charge }),
      ...(decline.declineCode && { decline_code: decline.declineCode }),
    },
    latest_charge: charge ?? intent.latest_charge,
    next_action: null,
    payment_method: null,
    status: 'requires_payment_method',
  });
}

interface ChargeInput {
  intent: Tables['paymentIntents'];
  method: Tables['paymentMethods'];
  decline: Decline | null;
}

/** The charge has failed if `decline` is set. */
function chargeCard(context: Context, { intent, method, decline }: ChargeInput): Tables['charges'] {
  const id = makeId('ch');
  const charge = fillNulls('Charge', {
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    amount_refunded: 0,
    billing_details: method.billing_details,
    calculated_statement_descriptor: 'UPREZ',
    captured: !decline,
    created: context.now(),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    disputed: false,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    fraud_details: {},
    livemode: false,
    metadata: intent.metadata,
    outcome: makeOutcome(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: makeDetails(method),
    receipt_email: intent.receipt_email,
    refunded: false,
    status: decline ? 'failed' : 'succeeded',
  });
  return context.save('charges', decline ? 'charge.failed' : 'charge.succeeded', charge);
}

const makeOutcome = (decline: Decline | null): Tables['charges']['outcome'] => ({
  advice_code: decline ? 'try_again_later' : null,
  network_advice_code: null,
  network_decline_code: null,
  network_status: decline ? 'declined_by_network' : 'approved_by_network',
  reason: decline ? (decline.declineCode ?? decline.code) : null,
  seller_message: decline ? 'The bank did not return any further details with this decline.' : 'Payment complete.',
  type: decline ? 'issuer_declined' : 'authorized',
});

type Details = NonNullable<Tables['charges']['payment_method_details']>;

const makeDetails = ({ type, card, paypal }: Tables['paymentMethods']): Details => ({
  type,
  ...(card && { card: makeCardDetails(card) }),
  ...(paypal && { paypal: { ...paypal, payer_name: null, seller_protection: null, transaction_id: makeId('paypal') } }),
});

const makeCardDetails = (card: NonNullable<Tables['paymentMethods']['card']>) =>
  fillNulls('ChargeCard', {
    brand: card.brand,
    checks: card.checks,
    country: card.country,
    exp_month: card.exp_month,
    exp_year: card.exp_year,
    fingerprint: card.fingerprint,
    funding: card.funding,
    last4: card.last4,
    network: card.brand,
    regulated_status: card.regulated_status,
  });

/**
 * Confirms a payment intent and updates its invoice. If the card is declined, updates the invoice and then throws
 * Stripe's error.
 */
export function confirmAndRecordPayment(
  context: Context,
  before: PaymentIntent,
  { isAutomatic = false, ...confirmation }: Confirmation & { isAutomatic?: boolean },
): PaymentIntent {
  const result = catchDecline(() => confirmPaymentIntent(context, before, confirmation));
  const intent = getRow(context, 'paymentIntents', { id: before.id });
  recordPayment(context, { intent, method: confirmation.method.id, isAutomatic });
  if (result instanceof DeclinedError) throw result;
  return intent;
}
