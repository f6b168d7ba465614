import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { idOf } from '../parameters/merge-field.ts';
import type { Decline } from '../resources/test-cards.ts';
import type { Tables } from '../state/tables.ts';

interface Payment {
  intent: Tables['paymentIntents'];
  method: Tables['paymentMethods'];
  decline: Decline | null;
}

/** Stores the charge of a payment intent, successful or failed, with its event. */
export function chargeCard(context: Context, { intent, method, decline }: Payment): Tables['charges'] {
  const id = makeId('ch');
  const charge = context.store.put('charges', {
    ...emptyFields,
    id,
    object: 'charge',
    amount: intent.amount,
    amount_captured: decline ? 0 : intent.amount,
    billing_details: method.billing_details,
    captured: !decline,
    created: context.now(),
    currency: intent.currency,
    customer: idOf(intent.customer),
    description: intent.description,
    failure_code: decline?.code ?? null,
    failure_message: decline?.message ?? null,
    metadata: intent.metadata,
    outcome: makeOutcome(decline),
    paid: !decline,
    payment_intent: intent.id,
    payment_method: method.id,
    payment_method_details: makeDetails(method),
    receipt_email: intent.receipt_email,
    status: decline ? 'failed' : 'succeeded',
  });
  context.emit(decline ? 'charge.failed' : 'charge.succeeded', charge);
  return charge;
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

type CardDetails = NonNullable<Details['card']>;

const makeCardDetails = (card: NonNullable<Tables['paymentMethods']['card']>): CardDetails => ({
  amount_authorized: null,
  authorization_code: null,
  brand: card.brand,
  checks: card.checks,
  country: card.country,
  electronic_commerce_indicator: null,
  exp_month: card.exp_month,
  exp_year: card.exp_year,
  fingerprint: card.fingerprint,
  funding: card.funding,
  installments: null,
  last4: card.last4,
  mandate: null,
  network: card.brand,
  network_transaction_id: null,
  regulated_status: card.regulated_status,
  three_d_secure: null,
  transaction_link_id: null,
  wallet: null,
});

const emptyFields = {
  amount_refunded: 0,
  application: null,
  application_fee: null,
  application_fee_amount: null,
  balance_transaction: null,
  calculated_statement_descriptor: 'UPREZ',
  disputed: false,
  failure_balance_transaction: null,
  fraud_details: {},
  livemode: false,
  on_behalf_of: null,
  receipt_number: null,
  receipt_url: null,
  refunded: false,
  review: null,
  shipping: null,
  source: null,
  source_transfer: null,
  statement_descriptor: null,
  statement_descriptor_suffix: null,
  transfer_data: null,
  transfer_group: null,
} as const;
