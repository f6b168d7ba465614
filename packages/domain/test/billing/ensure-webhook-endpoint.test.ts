import { ensureWebhookEndpoint } from '@uprez/domain/billing/ensure-webhook-endpoint';
import { listWebhookEndpoints } from '@uprez/payments/stripe-account';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { testFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { expect, it } from 'vitest';

const database = testFixture(() => openTestDatabase());
const stripe = testFixture(openTestStripe);

const ensure = (publicUrl = 'https://images.example') =>
  ensureWebhookEndpoint({ db: database.db, payments: stripe.payments }, publicUrl);
const url = 'https://images.example/api/stripe/webhook';

/** Creates an endpoint at Stripe that sends one type of events. */
async function createOther(metadata: Record<string, string>): Promise<void> {
  const body = new URLSearchParams({ url, 'enabled_events[0]': 'invoice.paid', ...metadata });
  const headers = { authorization: `Bearer ${stripe.env.STRIPE_SECRET_KEY}` };
  const { status } = await fetch(`${stripe.double.url}/v1/webhook_endpoints`, { method: 'POST', headers, body });
  expect(status).toBe(200);
}

it('creates an endpoint with a secret once, also when called twice at once', async () => {
  const both = await Promise.all([ensure(), ensure()]);
  expect(both.map(({ endpoint }) => endpoint.url)).toEqual([url, url]);
  expect(both.filter(({ secret }) => secret?.startsWith('whsec_'))).toHaveLength(1);
  expect(await listWebhookEndpoints(stripe.payments)).toHaveLength(1);
});

it('creates another one for another URL', async () => {
  await ensure();
  const { secret, outdated } = await ensure('https://other.example');
  expect({ isCreated: secret !== undefined, outdated }).toEqual({ isCreated: true, outdated: [] });
});

it('replaces an endpoint that sends other events, and ignores those of others', async () => {
  await createOther({ 'metadata[app]': 'uprez' });
  await createOther({});
  const { endpoint, secret, outdated } = await ensure();
  expect(secret).toMatch(/^whsec_/);
  expect(endpoint.isCurrent).toBe(true);
  expect(outdated).toMatchObject([{ isOurs: true, isCurrent: false, url }]);
});
