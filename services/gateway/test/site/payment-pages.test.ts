import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { startTestGateway } from '../support/start-test-gateway.ts';

const keys = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

async function readHeaders(url: string) {
  const { headers, status } = await fetch(url, { headers: { accept: 'text/html' } });
  const policy = headers.get('content-security-policy') ?? '';
  const sourcesOf = (name: string) => new RegExp(`${name} ([^;]+)`).exec(policy)?.[1]?.split(' ');
  return { status, policy, sourcesOf, opener: headers.get('cross-origin-opener-policy') };
}

const otherPages = ['/', '/dashboard', '/account', '/pricing', '/account/billing/x'];

describe("with Stripe's keys", () => {
  const gateway = fileFixture(() => startTestGateway(keys));

  it.each(['/subscribe', '/subscribe?plan=pro', '/account/billing', '/account/billing/'])(
    "allows Stripe's scripts, frames, and API at %s",
    async (path) => {
      const { status, policy, sourcesOf, opener } = await readHeaders(gateway.url + path);
      expect(status).toBe(200);
      const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com'];
      expect(sourcesOf('script-src')).toEqual(["'self'", ...scripts]);
      expect(sourcesOf('frame-src')).toEqual(["'self'", ...scripts, 'https://hooks.stripe.com']);
      expect(sourcesOf('connect-src')).toEqual(["'self'", 'blob:', 'https://api.stripe.com']);
      for (const rule of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        expect(policy).toContain(rule);
      expect(opener).toBe('same-origin-allow-popups');
    },
  );

  it.each([...otherPages, '/api/site'])('allows nothing of Stripe at %s', async (path) => {
    const { policy, opener } = await readHeaders(gateway.url + path);
    expect(policy).toContain("script-src 'self';");
    expect(policy).not.toContain('stripe');
    expect(policy).not.toContain('frame-src');
    expect(opener).toBe('same-origin');
  });
});

it('allows only the replacement of Stripe if there is one', async () => {
  const double = 'http://127.0.0.1:3027';
  const gateway = await startTestGateway({ ...keys, STRIPE_API_URL: double });
  const { policy, sourcesOf } = await readHeaders(`${gateway.url}/subscribe`);
  for (const name of ['script-src', 'frame-src', 'connect-src']) expect(sourcesOf(name)).toContain(double);
  expect(policy).not.toContain('stripe.com');
  await gateway.close();
});

it('allows nothing of Stripe without its keys', async () => {
  const gateway = await startTestGateway();
  const { status, policy } = await readHeaders(`${gateway.url}/subscribe`);
  expect(status).toBe(200);
  expect(policy).not.toContain('stripe');
  await gateway.close();
});
