import * as z from 'zod';
import type { Context } from '../context.ts';
import { getRow } from '../parameters/get-row.ts';
import { type CardFate, declined, insufficientFunds } from '../resources/test-cards.ts';

/** What can be decided for a payment method that customers have saved. */
export const cardOutcomeSchema = z.enum(['succeeds', 'declined', 'insufficient_funds', 'authentication']);
export type CardOutcome = z.output<typeof cardOutcomeSchema>;

const succeeds: CardFate = { onSetup: null, onCharge: null, authentication: 'never' };
const fates: Record<CardOutcome, CardFate> = {
  succeeds,
  declined: { ...succeeds, onCharge: declined },
  insufficient_funds: { ...succeeds, onCharge: insufficientFunds },
  authentication: { ...succeeds, authentication: 'always' },
};

/** Decides what happens when a payment method is charged from now on. */
export function setCardOutcome(context: Context, id: string, outcome: CardOutcome): void {
  getRow(context, 'paymentMethods', { id });
  context.store.put('cardFates', { id, ...fates[outcome] });
}

/** Returns what happens when a payment method is charged. Undefined: something else. */
export function findCardOutcome({ store }: Pick<Context, 'store'>, id: string): CardOutcome | undefined {
  const fate = store.get('cardFates', id);
  if (fate?.authentication !== 'never') return fate ? 'authentication' : 'succeeds';
  const code = fate.onCharge?.declineCode ?? fate.onCharge?.code;
  return cardOutcomeSchema.options.find(
    (outcome) => (fates[outcome].onCharge?.declineCode ?? undefined) === code && outcome !== 'authentication',
  );
}
