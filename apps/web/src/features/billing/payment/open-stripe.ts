import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { api } from '../../../lib/api/api.ts';
import { withTimeout } from '../../../lib/browser/with-timeout.ts';

const loadTimeoutMs = 20_000;

/** What the payment form needs: Stripe.js, and whether no real money moves. */
export type Payments = { stripe: Stripe; isTest: boolean; isLocal: boolean };

let opened: Promise<Payments> | undefined;

/** Loads Stripe.js once. Rejects if it can't be loaded within 20 seconds; a later call then tries again. */
export function openStripe(): Promise<Payments> {
  opened ??= withTimeout(load(), loadTimeoutMs).catch((error: unknown) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

async function load(): Promise<Payments> {
  const { publishableKey, scriptOrigin, isTest } = (await api.billingConfig()).data;
  // `loadStripe` uses the `Stripe` of the window, if there is one.
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
