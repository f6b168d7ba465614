import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { makeBrowser } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { checkSecurityHeaders } from '../../support/checked-fetch.ts';
import { openShop, postJson } from '../../support/open-shop.ts';

const shop = fileFixture(openShop);
const admin = fileFixture(() => signUpAdmin(shop.gateway));
const user = fileFixture(async () => {
  const buyer = await shop.signUp();
  const { body } = await postJson(buyer, `${shop.gateway.url}/api/create-subscription`, { priceId: 'pro' });
  const intent = String(body.clientSecret).split('_secret_')[0];
  await makeBrowser(shop.stripe).post(`payment_intents/${intent}/confirm`, { payment_method: 'pm_card_visa' });
  await postJson(buyer, `${shop.gateway.url}/api/billing/refresh`, {});
  return buyer;
});

const money = /^\/api\/(billing|coupons|packs|leads|stripe|create-|admin\/(payments|settings\/billing))/;
const names = (Object.keys(routes) as RouteName[]).filter((name) => money.test(routes[name].path));

const send = (by: typeof fetch, name: RouteName, id = 'x') =>
  by(shop.gateway.url + routes[name].path.replace(/:\w+/, id), { method: routes[name].method, redirect: 'manual' });

describe('A13: a response about money', () => {
  it.each(names)('%s has all security headers, and caches keep none that is private', async (name) => {
    for (const by of [fetch, user.fetch, admin.fetch]) {
      const response = await send(by, name);
      checkSecurityHeaders(response.headers);
      expect(response.headers.get('strict-transport-security') ?? 'http').toMatch(/^http$|max-age=/);
      // Packs are the same for everyone.
      if (name !== 'listPacks') expect(response.headers.get('cache-control'), name).toContain('no-store');
      await response.text();
    }
  });

  it('that leads to a PDF has them, and names no referrer', async () => {
    const { data } = await user.client.listInvoices({ query: {} });
    const response = await send(user.fetch, 'downloadInvoice', data.invoices[0]?.id);
    expect(response.status).toBe(302);
    checkSecurityHeaders(response.headers);
    expect(response.headers.get('referrer-policy')).toMatch(/no-referrer|same-origin|strict-origin/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(new URL(response.headers.get('location') ?? '').origin).toBe(new URL(shop.stripe.double.url).origin);
  });
});
