import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { api } from '../../../lib/api/api.ts';
import { withTimeout } from '../../../lib/browser/with-timeout.ts';

const loadTimeoutMs = 20_000;

/** Stripe.js, and whether it runs in test mode, in which no real money moves. */
export type Payments = { stripe: Stripe; isTest: boolean; isLocal: boolean };

let stripePromise: Promise<Payments> | undefined;

/** Loads Stripe.js once. Rejects if it takes longer than 20 seconds. After a failure, the next call tries again. */
export function openStripe(): Promise<Payments> {
  stripePromise ??= withTimeout(loadPayments(), loadTimeoutMs).catch((error: unknown) => {
    stripePromise = undefined;
    throw error;
  });
  return stripePromise;
}

async function loadPayments(): Promise<Payments> {
  const { publishableKey, scriptOrigin, isTest } = (await api.billingConfig()).data;
  // Adds the script from our origin, if one is set. `loadStripe` then uses the existing `window.Stripe`.
  if (scriptOrigin !== null && !window.Stripe) await addScript(`${scriptOrigin}/stripe.js`);
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe.js is missing');
  return { stripe, isTest, isLocal: scriptOrigin !== null };
}

function addScript(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = url;
    script.addEventListener('load', () => resolve());
    script.addEventListener('error', () => reject(new Error(`${url} couldn't be loaded`)));
    document.head.append(script);
  });
}
