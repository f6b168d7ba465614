import * as z from 'zod';
import type { Context } from '../context.ts';
import { makeId } from '../make-id.ts';
import { getRow } from '../parameters/get-row.ts';
import { idOf } from '../parameters/merge-field.ts';
import { fillNulls } from '../schemas.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

type Dispute = Tables['disputes'];

/** From the account's point of view. */
export const disputeEndSchema = z.strictObject({ status: z.enum(['lost', 'won']) });

const RESPONSE_DEADLINE_SECONDS = 9 * 24 * 3600;

/**
 * Simulates a customer's bank that disputes a charge. Withdraws the part of the charge that hasn't been refunded.
 * Throws if the charge failed, has already been disputed, or was refunded in full.
 */
export function openDispute(context: Context, id: string): Dispute {
  const charge = getRow(context, 'charges', { id });
  if (!charge.paid) throw invalidRequestError('A failed charge cannot be disputed.');
  if (charge.disputed) throw invalidRequestError(`Charge ${id} has already been disputed.`);
  const amount = charge.amount - charge.amount_refunded;
  if (amount === 0) throw invalidRequestError(`Charge ${id} has already been refunded.`);
  context.store.put('charges', { ...charge, disputed: true });
  const opened = fillNulls('Dispute', {
    id: makeId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: id,
    created: context.now(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: fillNulls('DisputeEvidence', { enhanced_evidence: {} }),
    evidence_details: {
      due_by: context.now() + RESPONSE_DEADLINE_SECONDS,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: idOf(charge.payment_intent),
    reason: 'fraudulent',
    status: 'needs_response',
  });
  const dispute = context.save('disputes', 'charge.dispute.created', opened);
  context.emit('charge.dispute.funds_withdrawn', dispute);
  return dispute;
}

/** Closes a dispute. If the account won, the withdrawn amount is reinstated. */
export function closeDispute(context: Context, id: string, { status }: z.output<typeof disputeEndSchema>): Dispute {
  const before = getRow(context, 'disputes', { id });
  if (before.status !== 'needs_response') throw invalidRequestError(`This dispute is already ${before.status}.`);
  const dispute = context.store.put('disputes', { ...before, status });
  context.emit('charge.dispute.closed', dispute, { status: before.status });
  if (status === 'won') context.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

/** Undefined if the charge was never disputed. */
export const findDispute = ({ store }: Pick<Context, 'store'>, charge: string): Dispute | undefined =>
  store.list('disputes').find((dispute) => idOf(dispute.charge) === charge);
