import type { Context } from '../context.ts';
import { defineResource } from '../http/define-resource.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf, mergeMetadata } from '../parameters/merge-field.ts';
import { findDispute } from '../payments/dispute-charge.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type Charge = Tables['charges'];

const refunds = defineResource({ path: '/v1/refunds', object: 'Refund', table: 'refunds' });

export const refundCalls = [
  refunds.create({
    serves: ['amount', 'charge', 'metadata', 'payment_intent', 'reason'],
    run: (context, params) => {
      const charge = findCharge(context, params);
      requireUndisputedCharge(context, charge);
      const amount = readRefundAmount(charge, params.amount);
      const refunded = charge.amount_refunded + amount;
      const changed = context.store.put('charges', {
        ...charge,
        amount_refunded: refunded,
        refunded: refunded === charge.amount,
      });
      const refund = fillNulls('Refund', {
        id: makeId('re'),
        object: 'refund',
        amount,
        charge: charge.id,
        created: context.now(),
        currency: charge.currency,
        customer: idOf(charge.customer),
        metadata: mergeMetadata({}, params.metadata),
        payment_intent: idOf(charge.payment_intent),
        payment_method: charge.payment_method,
        reason: params.reason ?? null,
        status: 'succeeded',
      });
      context.save('refunds', 'refund.created', refund);
      context.emit('charge.refunded', changed, { amount_refunded: charge.amount_refunded, refunded: charge.refunded });
      return refund;
    },
  }),
  refunds.retrieve(),
  refunds.list({ filters: ['charge', 'created', 'payment_intent'] }),
];

/** By charge ID or payment intent. Throws if the charge wasn't successful. */
function findCharge(context: Context, params: { charge?: string; payment_intent?: string }): Charge {
  if (!params.charge === !params.payment_intent)
    throw invalidRequestError(
      'One of the following params should be provided for this request: payment_intent or charge.',
    );
  if (params.charge) return requirePaidCharge(getRow(context, 'charges', { id: params.charge, param: 'charge' }));
  const intent = getRow(context, 'paymentIntents', { id: params.payment_intent ?? '', param: 'payment_intent' });
  const charge = context.store.get('charges', idOf(intent.latest_charge) ?? '');
  if (!charge)
    throw invalidRequestError(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
      param: 'payment_intent',
    });
  return requirePaidCharge(charge);
}

function requirePaidCharge(charge: Charge): Charge {
  if (charge.paid) return charge;
  throw invalidRequestError(`Charge ${charge.id} has failed and cannot be refunded.`, {
    code: 'charge_not_refundable',
  });
}

/**
 * Throws if a charge has a dispute that the account hasn't won, because the customer's bank then holds the charge's
 * amount.
 */
function requireUndisputedCharge(context: Context, { id }: Charge): void {
  const dispute = findDispute(context, id);
  if (dispute && dispute.status !== 'won')
    throw invalidRequestError(`Charge ${id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
}

/** Returns the amount to refund, in cents. Throws if it exceeds the amount that hasn't been refunded yet. */
function readRefundAmount(charge: Charge, requested: number | undefined): number {
  const rest = charge.amount - charge.amount_refunded;
  if (rest === 0)
    throw invalidRequestError(`Charge ${charge.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = requested ?? rest;
  if (!Number.isInteger(amount) || amount < 1)
    throw invalidRequestError('Invalid positive integer', { code: 'parameter_invalid_integer', param: 'amount' });
  if (amount > rest)
    throw invalidRequestError(`Refund amount (${amount}) is greater than unrefunded amount on charge (${rest})`, {
      param: 'amount',
    });
  return amount;
}
