import * as z from 'zod';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { type CardBehavior, type Decline, genericDecline, insufficientFunds } from '../resources/test-cards.ts';
import { DeclinedError, type StripeErrorBody } from '../stripe-error.ts';

export const cardOutcomeSchema = z.enum(['succeeds', 'declined', 'insufficient_funds', 'authentication']);
export type CardOutcome = z.output<typeof cardOutcomeSchema>;

const succeeds: CardBehavior = { onSetup: null, onCharge: null, authentication: 'never' };
const fates: Record<CardOutcome, CardBehavior> = {
  succeeds,
  declined: { ...succeeds, onCharge: genericDecline },
  insufficient_funds: { ...succeeds, onCharge: insufficientFunds },
  authentication: { ...succeeds, authentication: 'always' },
};

/** Sets the outcome of future charges to a payment method. */
export function setCardOutcome(context: Context, id: string, outcome: CardOutcome): void {
  getRow(context, 'paymentMethods', { id });
  context.store.put('cardFates', { id, ...fates[outcome] });
}

/** Undefined if the payment method doesn't behave like any `CardOutcome`. */
export function findCardOutcome({ store }: Pick<Context, 'store'>, id: string): CardOutcome | undefined {
  const fate = store.get('cardFates', id);
  if (fate?.authentication !== 'never') return fate ? 'authentication' : 'succeeds';
  const code = fate.onCharge?.declineCode ?? fate.onCharge?.code;
  return cardOutcomeSchema.options.find(
    (outcome) => (fates[outcome].onCharge?.declineCode ?? undefined) === code && outcome !== 'authentication',
  );
}

/** Returns why charges to a payment method are declined, or null if they are accepted. */
export const findDecline = ({ store }: Context, method: string): Decline | null =>
  store.get('cardFates', method)?.onCharge ?? null;

export const isAuthenticationNeeded = ({ store }: Context, method: string): boolean =>
  (store.get('cardFates', method)?.authentication ?? 'never') !== 'never';

/**
 * Records that a card has been set up for later payments. A card that requires authentication only until it's set up no
 * longer requires it.
 */
export function markSetUp({ store }: Context, method: string): void {
  const fate = store.get('cardFates', method);
  if (fate?.authentication === 'until_set_up') store.put('cardFates', { ...fate, authentication: 'never' });
}

/** Returns a card error with status 402. `intent` is the intent that failed. */
export const cardError = (
  { code, declineCode, message }: Decline,
  intent: Pick<StripeErrorBody, 'payment_intent' | 'setup_intent'> = {},
) =>
  new DeclinedError(402, {
    type: 'card_error',
    code,
    message,
    ...(declineCode && { decline_code: declineCode }),
    ...intent,
  });
