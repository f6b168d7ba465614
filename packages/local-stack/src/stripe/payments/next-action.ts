import type { Context } from '../context.ts';
import type { Tables } from '../state/tables.ts';
import { invalidRequestError } from '../stripe-error.ts';

interface NextActionInput {
  intent: Tables['paymentIntents'] | Tables['setupIntents'];
  method: Tables['paymentMethods'];
  /** URL to which the payment method's page redirects. */
  returnUrl: string | undefined;
}

/** 3-D Secure for cards, or a redirect to the payment method's page. */
export function makeNextAction(context: Context, { intent, method, returnUrl }: NextActionInput) {
  if (method.type === 'card') return { type: 'use_stripe_sdk' };
  const query = new URLSearchParams({ client_secret: intent.client_secret ?? '' });
  const url = `${context.origin()}/redirect/${intent.id}?${query}`;
  return { type: 'redirect_to_url', redirect_to_url: { url, return_url: returnUrl ?? null } };
}

/** Throws Stripe's error if a payment method redirects to another page but the request has no return URL. */
export function requireReturnUrl({ type }: Tables['paymentMethods'], returnUrl: string | undefined): void {
  if (type !== 'card' && !returnUrl)
    throw invalidRequestError('This payment method leads to another page. Please provide a `return_url`.', {
      code: 'parameter_missing',
      param: 'return_url',
    });
}
