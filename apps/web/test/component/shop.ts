import { openPayments } from '@uprez/payments/open-payments';
import type { SignedIn } from '@uprez/testing/sign-up';
import { inject, vi } from 'vitest';

const { stripeUrl, stripeKeys } = inject('site');

export const payments = openPayments({ ...stripeKeys, mode: 'test', webhookSecrets: [], apiUrl: stripeUrl });

/** Confirms an intent with a card of the double, as Stripe.js does. */
async function confirmIntent(kind: 'payment' | 'setup', clientSecret: string): Promise<{ id: string; status: string }> {
  const [intent = ''] = clientSecret.split('_secret_');
  const confirmed = await fetch(`${stripeUrl}/v1/${kind}_intents/${intent}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeKeys.secretKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
  });
  if (!confirmed.ok) throw new Error(await confirmed.text());
  return (await confirmed.json()) as { id: string; status: string };
}

export async function subscribe({ client }: SignedIn, plan = 'pro'): Promise<void> {
  const { clientSecret } = (await client.createSubscription({ body: { priceId: plan } })).data;
  await confirmIntent('payment', clientSecret);
  await client.refreshBilling({ body: {} });
}

type ConfirmParams = { elements: { clientSecret: string } };
const ignore = () => {};

/** The functions that pages call and that Stripe's React components check for. */
const stripe = {
  elements: ({ clientSecret }: { clientSecret: string }) => ({ clientSecret, create: () => element, update: ignore }),
  confirmPayment: async ({ elements }: ConfirmParams) => ({
    paymentIntent: await confirmIntent('payment', elements.clientSecret),
  }),
  confirmSetup: async ({ elements }: ConfirmParams) => ({
    setupIntent: await confirmIntent('setup', elements.clientSecret),
  }),
  createToken: ignore,
  createPaymentMethod: ignore,
  confirmCardPayment: ignore,
};
const element = {
  on: (event: string, listener: () => void) => event === 'ready' && queueMicrotask(listener),
  off: ignore,
  mount: ignore,
  update: ignore,
  destroy: ignore,
};

/** Replaces Stripe.js, whose form needs a browser. The replacement has no fields and pays with a card that succeeds. */
export function stubStripe(): void {
  vi.stubGlobal(
    'Stripe',
    Object.assign(() => stripe, { version: 'endive' }),
  );
}
