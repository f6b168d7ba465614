import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openStripeDouble } from '@uprez/local-stack/stripe/open-stripe-double';
import { openPayments } from '@uprez/payments/open-payments';
import { skipRetryDelay } from './skip-retry-delay.ts';

const keys = { secretKey: 'sk_test_local', publishableKey: 'pk_test_local' };
const webhookSecret = 'whsec_local';

export type TestStripe = Awaited<ReturnType<typeof openTestStripe>>;

/** Opens an empty Stripe double and a connection to it. `webhookUrl`: URL that receives all events. */
export async function openTestStripe({ webhookUrl }: { webhookUrl?: string } = {}) {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-stripe-'));
  const destination = webhookUrl && { destination: { url: webhookUrl, secret: webhookSecret } };
  const double = await openStripeDouble({ port: 0, dataDir, ...keys, ...destination });
  const options = { ...keys, mode: 'test', webhookSecrets: [webhookSecret], apiUrl: double.url } as const;
  const payments = skipRetryDelay(openPayments(options));
  return {
    double,
    payments,
    env: {
      STRIPE_SECRET_KEY: keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: webhookSecret,
      STRIPE_API_URL: double.url,
    },
    close: async () => {
      payments.close();
      await double.close();
      await fs.rm(dataDir, { recursive: true, force: true });
    },
  };
}
