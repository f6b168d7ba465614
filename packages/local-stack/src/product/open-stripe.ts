import { join } from 'node:path';
import { routes } from '@uprez/contracts/endpoints/routes';
import { choosePort } from '../find-free-port.ts';
import { openStripeDouble } from '../stripe/open-stripe-double.ts';
import type { BackingContext, BackingService } from './open-backing.ts';

/** `env`: the settings of services that use the double. Empty if the user's settings apply. */
export type StripeService = Omit<BackingService, 'url'> & { env: Record<string, string> };

/** The port of the double, relative to PORT. */
const doublePortOffset = 27;
/** Not a generated secret, because publishable keys are public. */
const publishableKey = 'pk_test_local';

/** Opens the Stripe double below DATA_DIR, or uses Stripe's keys. In production, plans can't be bought without keys. */
export async function openStripe({
  config: { dataDir, payments, isProduction, port },
  secrets: { stripeSecretKey: secretKey, stripeWebhookSecret },
}: Pick<BackingContext, 'config' | 'secrets'>): Promise<StripeService> {
  const external = { env: {}, stop: async () => undefined };
  if (payments) return { ...external, row: ['Stripe', `${payments.mode} mode`, payments.apiUrl ?? '', ''] };
  if (isProduction) return { ...external, row: ['Stripe', 'not set up', '', ''] };
  const folder = join(dataDir, 'stripe');
  const double = await openStripeDouble({
    port: await choosePort(port + doublePortOffset),
    dataDir: folder,
    secretKey,
    publishableKey,
    destination: { url: `http://127.0.0.1:${port}${routes.stripeWebhook.path}`, secret: stripeWebhookSecret },
  });
  return {
    env: {
      STRIPE_SECRET_KEY: secretKey,
      STRIPE_PUBLISHABLE_KEY: publishableKey,
      STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
      STRIPE_API_URL: double.url,
    },
    row: ['Stripe', 'double, no real money', double.url, folder],
    stop: double.close,
  };
}
