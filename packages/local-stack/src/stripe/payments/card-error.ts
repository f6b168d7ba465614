import type { Decline } from '../resources/test-cards.ts';
import { DeclinedError, type StripeErrorBody } from '../stripe-error.ts';

/** Returns the error of a card: status 402. `intent` is the one that failed. */
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
