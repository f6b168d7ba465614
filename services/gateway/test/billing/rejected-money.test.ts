import type { ErrorCode } from '@uprez/contracts/errors/error-codes';
import { makeCoupon, makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { makeBrowser } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import type { SignedIn } from '@uprez/testing/sign-up';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openShop, postJson } from '../support/open-shop.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

/** What bad input gets where money moves: its code, its sentence, and nothing is charged or granted. */
const shop = fileFixture(openShop);
beforeEach(() => shop.stripe.double.failures.clear());

const send = (user: SignedIn, path: string, body: object) => postJson(user, `${shop.gateway.url}/api/${path}`, body);
const routes = ['create-subscription', 'create-checkout-session'] as const;
const error = (status: number, code: ErrorCode, text: string) => expect.objectContaining({ status, code, text });
const nothing = { customers: 0, subscriptions: [], sessions: [] };
const tierOf = async ({ user }: SignedIn) =>
  (await shop.db.selectFrom('users').select('tier').where('id', '=', user.id).executeTakeFirstOrThrow()).tier;

/** Buys Pro, with a code if one is given. */
async function subscribe(coupon?: string): Promise<SignedIn> {
  const user = await shop.signUp();
  const { body } = await send(user, 'create-subscription', { priceId: 'pro', ...(coupon && { coupon }) });
  const [intent = ''] = String(body.clientSecret).split('_secret_');
  await makeBrowser(shop.stripe).post(`payment_intents/${intent}/confirm`, { payment_method: 'pm_card_visa' });
  expect(await send(user, 'billing/refresh', {})).toMatchObject({ body: { tier: 'pro' } });
  return user;
}
const preview = async (user: SignedIn, priceId: string) =>
  (await user.client.previewChange({ body: { priceId } })).data;
/** The totals of the paid invoices of an account. */
const readPaid = async (user: SignedIn) =>
  (await user.client.listInvoices({ query: {} })).data.invoices.map(({ paid }) => paid);

const noPrice = "This plan isn't available. Choose one from the pricing page.";
it.each(['price_unknown', 'free', 'enterprise', 'gold'])(
  'rejects a purchase of %s, which is not sold',
  async (priceId) => {
    const user = await shop.signUp();
    for (const route of routes)
      expect(await send(user, route, { priceId })).toEqual(error(404, 'price_not_found', noPrice));
    expect(await shop.atStripe(user)).toEqual(nothing);
  },
);

it('rejects a purchase and a change to a price of another product in the Stripe account', async () => {
  const { post } = makeBrowser(shop.stripe);
  const product = (await post('products', { name: 'Other' })).id;
  const price = await post('prices', { product, currency: 'usd', unit_amount: '1', 'recurring[interval]': 'month' });
  const [visitor, subscriber] = [await shop.signUp(), await subscribe()];
  for (const route of routes)
    expect(await send(visitor, route, { priceId: price.id })).toEqual(error(404, 'price_not_found', noPrice));
  expect(await shop.atStripe(visitor)).toEqual(nothing);
  const previewed = await send(subscriber, 'billing/preview', { priceId: price.id });
  expect(previewed).toEqual(error(404, 'price_not_found', noPrice));
});

describe('a purchase with a code', () => {
  const codes: [code: ErrorCode, text: string, change?: Parameters<typeof makeCoupon>[1]][] = [
    ['coupon_not_found', "This code doesn't exist. Check its spelling."],
    ['coupon_expired', 'This code has expired. Remove it or enter another code.', { expiresAt: new Date(0) }],
    ['coupon_used_up', 'This code has reached its usage limit. Remove it to continue.', { maxUses: 1, uses: 1 }],
    ['coupon_disabled', 'This code is no longer valid. Remove it or enter another code.', { disabledAt: new Date() }],
    [
      'coupon_wrong_plan',
      "This code isn't valid for this plan. Remove it, or choose another plan.",
      { tiers: ['api_pro' as const] },
    ],
    [
      'coupon_not_ready',
      "This code isn't ready yet. Try again in a minute, or continue without it.",
      { promotionCodeId: null },
    ],
  ];
  it.each(codes)('is rejected with %s', async (code, text, change) => {
    const status = code === 'coupon_not_found' ? 404 : 409;
    const coupon = change ? (await makeCoupon(shop.db, change)).code : 'NO-SUCH-CODE';
    const user = await shop.signUp();
    for (const route of routes)
      expect(await send(user, route, { priceId: 'pro', coupon })).toEqual(error(status, code, text));
    expect(await shop.atStripe(user)).toMatchObject({ subscriptions: [], sessions: [] });
    expect(await tierOf(user)).toBe('free');
  });

  it('answers a code that was used, and a second one, with their sentences', async () => {
    const { payments } = shop.stripe;
    const used = await makeSyncedCoupon({ db: shop.db, payments }, { percent: 50 });
    const second = await makeSyncedCoupon({ db: shop.db, payments });
    const user = await subscribe(used.code);
    const check = async (code: string) => {
      const response = await user.fetch(`${shop.gateway.url}/api/coupons/${code}?priceId=pro`);
      return { status: response.status, code: response.headers.get('x-error-code'), text: await response.text() };
    };
    expect(await check(used.code)).toEqual(
      error(409, 'coupon_used', 'You have already used this code. Remove it or enter another code.'),
    );
    const sentence = 'Your subscription already uses a promo code. Only one can apply.';
    expect(await check(second.code)).toEqual(error(409, 'coupon_second', sentence));
    expect(await readPaid(user)).toEqual([350]);
  });
});

it('rejects a change whose preview is old, and one that would cost something else', async () => {
  const user = await subscribe();
  const text = 'The price has changed since you saw it. Check the new amount and confirm again.';
  const [basic, pro] = [await preview(user, 'api_basic'), await preview(user, 'api_pro')];
  const change = (body: object) => send(user, 'billing/change', body);
  for (const body of [
    { priceId: 'api_basic', previewId: 'made up' },
    { priceId: 'api_basic', previewId: pro.previewId },
  ])
    expect(await change(body)).toEqual(error(409, 'preview_changed', text));
  expect(await change({ priceId: 'api_pro', previewId: pro.previewId })).toMatchObject({ status: 200 });
  const late = await change({ priceId: 'api_basic', previewId: basic.previewId });
  expect(late).toEqual(error(409, 'preview_changed', text));
  expect(await tierOf(user)).toBe('api_pro');
  expect(await readPaid(user)).toHaveLength(2);
});

it('rejects a change while another one runs, and makes the first one once', async () => {
  const user = await subscribe();
  const proxy = await openHoldingProxy(shop.stripe.double.url, '/v1/subscription_schedules');
  onTestFinished(proxy.close);
  const settings = { ...shop.stripe.env, DATABASE_URL: shop.gateway.ctx.databaseUrl };
  const gateway = await startTestGateway({ ...settings, STRIPE_API_URL: proxy.url });
  onTestFinished(gateway.close);
  const { subscription } = (await user.client.billing()).data;
  expect(subscription?.next).toBeNull();
  await send(user, 'billing/change', { priceId: 'api_basic', previewId: (await preview(user, 'api_basic')).previewId });
  const { previewId } = await preview(user, 'pro');
  const first = postJson(user, `${gateway.url}/api/billing/change`, { priceId: 'pro', previewId });
  await proxy.held;
  const text = 'Another change to your subscription is in progress. Try again in a moment.';
  expect(await send(user, 'billing/cancel', {})).toEqual(error(409, 'billing_busy', text));
  expect(await send(user, 'billing/pause', { months: 1 })).toEqual(error(409, 'billing_busy', text));
  proxy.release();
  expect(await first).toMatchObject({ status: 200, body: { billing: { subscription: { cancelAt: null } } } });
  expect(await readPaid(user)).toHaveLength(2);
});

describe('while Stripe fails', () => {
  const text = "Our payment provider isn't responding. Try again in a moment.";
  const paying = `${text} You won't be charged twice.`;
  it.each(['error', 'rate_limit', 'reset'] as const)(
    '%s: purchases and changes say so, and work afterward',
    async (kind) => {
      const [buyer, hosted, subscriber] = [await shop.signUp(), await shop.signUp(), await subscribe()];
      shop.stripe.double.failures.add({ when: 'before', kind, times: 100 });
      for (const [user, path, body, sentence] of [
        [buyer, 'create-subscription', { priceId: 'pro' }, paying],
        [hosted, 'create-checkout-session', { priceId: 'pro' }, paying],
        [subscriber, 'billing/preview', { priceId: 'api_basic' }, text],
        [subscriber, 'billing/cancel', {}, text],
        [subscriber, 'billing/payment-method', {}, text],
      ] as const)
        expect(await send(user, path, body), path).toEqual(error(503, 'billing_unavailable', sentence));
      shop.stripe.double.failures.clear();
      for (const one of [buyer, hosted]) expect(await shop.atStripe(one)).toEqual(nothing);
      expect((await subscriber.client.billing()).data.subscription).toMatchObject({ cancelAt: null });
      expect(await send(buyer, 'create-subscription', { priceId: 'pro' })).toMatchObject({ status: 200 });
      expect(await preview(subscriber, 'api_basic')).toMatchObject({ kind: 'upgrade' });
      expect(await readPaid(subscriber)).toEqual([700]);
    },
  );
});

it('names what must be done first', async () => {
  const user = await subscribe();
  const post = (path: string, body: object) => send(user, `billing/${path}`, body);
  const own = await post('preview', { priceId: 'pro' });
  expect(own).toEqual(error(409, 'subscription_state', 'You already have this plan.'));
  expect(await post('resume', {})).toEqual(error(409, 'subscription_state', 'Your plan is already active.'));
  const refund =
    "This plan can't be refunded. Refunds are available for 30 days after your first yearly payment, while you have used at most 50% of a month's images.";
  expect(await post('refund', {})).toEqual(error(409, 'money_back_over', refund));
  expect(await post('pay', {})).toEqual(error(409, 'subscription_state', 'You have no unpaid bill.'));
  await post('cancel', {});
  const canceled = await post('preview', { priceId: 'api_basic' });
  expect(canceled).toEqual(
    error(409, 'subscription_state', 'Your plan is set to end. To change it, select "Keep plan" first.'),
  );
  expect(await post('pause', { months: 1 })).toEqual(
    error(409, 'subscription_state', 'Your plan is set to end. To pause it, select "Keep plan" first.'),
  );
  expect(await readPaid(user)).toEqual([700]);
});
