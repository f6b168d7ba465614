import { openPayments } from '@uprez/payments/open-payments';
import type { SignedIn } from '@uprez/testing/sign-up';
import { inject } from 'vitest';

const { stripeUrl, stripeKeys } = inject('site');

/** The Stripe double of the gateway. */
export const payments = openPayments({ ...stripeKeys, mode: 'test', webhookSecrets: [], apiUrl: stripeUrl });

/** Buys a plan for an account. */
export async function subscribe({ client }: SignedIn, plan = 'pro'): Promise<void> {
  const { clientSecret } = (await client.createSubscription({ body: { priceId: plan } })).data;
  const [intent = ''] = clientSecret.split('_secret_');
  const paid = await fetch(`${stripeUrl}/v1/payment_intents/${intent}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeKeys.secretKey}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
  });
  if (!paid.ok) throw new Error(await paid.text());
  await client.refreshBilling({ body: {} });
}
