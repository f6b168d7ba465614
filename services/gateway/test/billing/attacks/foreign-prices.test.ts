import { makeBrowser } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { openShop, postJson } from '../../support/open-shop.ts';

const shop = fileFixture(openShop);
const atStripe = (path: string, fields: Record<string, string>) => makeBrowser(shop.stripe).post(path, fields);
const paths = ['create-subscription', 'create-checkout-session'];

const metadata = { 'metadata[app]': 'uprez', 'metadata[tier]': 'pro', 'metadata[version]': '1' };
const prices: [string, () => Promise<string>][] = [
  ['of another product', async () => (await atStripe('prices', { ...(await makeProduct()), ...metadata })).id],
  [
    'of ours that we never made',
    async () => (await atStripe('prices', { ...cheap, product: 'uprez_pro', ...metadata })).id,
  ],
  ['that is archived', archive],
  ['of the other mode', async () => 'price_1LiveModeObject000000000'],
];
const cheap = { currency: 'usd', unit_amount: '50', 'recurring[interval]': 'month' };
const makeProduct = async () => ({ ...cheap, product: (await atStripe('products', { name: 'Other' })).id });

async function archive(): Promise<string> {
  const [price] = await shop.db.selectFrom('prices').select('id').where('tier', '=', 'api_basic').execute();
  await shop.db
    .updateTable('prices')
    .set({ active: false })
    .where('id', '=', price?.id ?? '')
    .execute();
  return price?.id ?? '';
}

describe('A2: a price', () => {
  it.each(prices)('%s is not sold, and nothing is made at Stripe', async (_case, makePrice) => {
    const priceId = await makePrice();
    const user = await shop.signUp();
    for (const path of paths)
      expect(await postJson(user, `${shop.gateway.url}/api/${path}`, { priceId })).toMatchObject({
        status: 404,
        code: 'price_not_found',
      });
    expect(await shop.atStripe(user)).toEqual({ customers: 0, subscriptions: [], sessions: [] });
  });

  it('is not sold to an account whose email address is not confirmed', async () => {
    const user = await shop.gateway.signUp();
    for (const [path, body] of [
      ...paths.map((one) => [one, { priceId: 'pro' }] as const),
      ['billing/packs', { pack: 'small' }] as const,
    ])
      expect(await postJson(user, `${shop.gateway.url}/api/${path}`, body)).toMatchObject({
        status: 403,
        code: 'email_unverified',
      });
    expect((await shop.atStripe(user)).customers).toBe(0);
  });
});

describe('A1: a session of Checkout that another account pays', () => {
  it('returns the same as a missing one, to accounts with and without a customer', async () => {
    const [owner, other, stranger] = [await shop.signUp(), await shop.signUp(), await shop.signUp()];
    for (const user of [owner, other])
      await postJson(user, `${shop.gateway.url}/api/create-checkout-session`, { priceId: 'pro' });
    const { stripeId } = await shop.db
      .selectFrom('billingCustomers')
      .select('stripeId')
      .where('accountId', '=', owner.user.id)
      .executeTakeFirstOrThrow();
    const call = await shop.db
      .selectFrom('billingCalls')
      .select('stripeIds')
      .where('accountId', '=', owner.user.id)
      .executeTakeFirstOrThrow();
    expect(call.stripeIds).toMatchObject({ customerId: stripeId, sessionId: expect.stringMatching(/^cs_/) });
    const refresh = async (user: typeof owner, checkout: string) => {
      const { status, code, text } = await postJson(user, `${shop.gateway.url}/api/billing/refresh`, { checkout });
      return { status, code, text };
    };
    const own = call.stripeIds.sessionId ?? '';
    expect(await refresh(owner, own)).toMatchObject({ status: 200 });
    const missing = await refresh(other, 'cs_test_missing');
    expect(missing).toMatchObject({ status: 404, code: 'not_found' });
    expect(await refresh(other, own)).toEqual(missing);
    expect(await refresh(stranger, own)).toEqual(missing);
    for (const text of ['../customers', 'cs_x/../../accounts', 'cs_%2e%2e', 'sub_1'])
      expect(await refresh(other, text)).toEqual(missing);
  });
});
