import { listOwnBills, listOwnSubscriptions } from '@uprez/db/queries/accounts/own-data';
import { requestCustomerSync } from '@uprez/db/queries/billing/plan-facts';
import { listInvoices } from '@uprez/domain/billing/own/list-invoices';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';
import { syncAccount, syncNextCustomer } from '@uprez/domain/billing/sync/sync-customer';
import { syncCustomerEmails } from '@uprez/domain/billing/update-customers';
import { fileFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openPurchases } from './purchase-fixtures.ts';

const world = fileFixture(openPurchases);
afterEach(() => world.recover());
const code = (expected: string) => expect.objectContaining({ code: expected });
const one = (subscription: string) => ({ customers: 1, subscriptions: [subscription], sessions: [] });
const readTier = ({ id }: Buyer) =>
  world.db.selectFrom('users').select('tier').where('id', '=', id).executeTakeFirstOrThrow();

describe('buying in the form', () => {
  it('returns the secret, the plan, the first bill, and the next one', async () => {
    const buyer = await world.makeBuyer();
    const bought = await world.form(buyer);
    expect(bought).toMatchObject({
      clientSecret: expect.stringMatching(/^pi_\w+_secret_/),
      confirms: 'payment',
      plan: {
        tier: 'pro',
        interval: 'month',
        priceId: await world.findPrice('pro'),
        price: { amount: 700, currency: 'usd' },
      },
      bill: { subtotal: 700, discount: 0, tax: 0, total: 700, due: 700, currency: 'usd', lines: [{ amount: 700 }] },
      next: { amount: 700, currency: 'usd' },
    });
    const { subscriptions } = await world.listOf(buyer);
    expect(subscriptions).toMatchObject([{ status: 'incomplete', accountId: buyer.id }]);
    expect(bought.next.at).toBe(subscriptions[0]?.periodEnd.toISOString());
    expect(await world.readCalls(buyer)).toMatchObject([{ kind: 'subscribe', state: 'open', step: 'create' }]);
  });

  it('gives the plan once it is paid, and ends the call', async () => {
    const buyer = await world.makeBuyer();
    await world.payForm((await world.form(buyer)).clientSecret);
    expect(await refreshBilling(world.ctx(), { accountId: buyer.id })).toMatchObject({
      tier: 'pro',
      subscription: { badge: 'active' },
    });
    expect(await world.readCalls(buyer)).toMatchObject([{ state: 'done', error: null }]);
  });

  it('M5: returns the same secret to a double click, after going back, and in two tabs', async () => {
    const buyer = await world.makeBuyer();
    const clicks = await Promise.all([world.form(buyer), world.form(buyer, await world.findPrice('pro'))]);
    const later = await world.form(buyer);
    expect(new Set([...clicks, later].map(({ clientSecret }) => clientSecret)).size).toBe(1);
    expect(await world.atStripe(buyer)).toEqual(one('incomplete'));
  });

  it('returns the same secret after a declined card', async () => {
    const buyer = await world.makeBuyer();
    const { clientSecret } = await world.form(buyer);
    await expect(world.payForm(clientSecret, 'pm_card_visa_chargeDeclined')).rejects.toThrow('declined');
    expect((await world.form(buyer)).clientSecret).toBe(clientSecret);
  });

  it('M5: makes one subscription for 50 requests at once', async () => {
    const buyer = await world.makeBuyer();
    const bought = await Promise.all(Array.from({ length: 50 }, () => world.form(buyer)));
    expect(new Set(bought.map(({ clientSecret }) => clientSecret)).size).toBe(1);
    expect(await world.atStripe(buyer)).toEqual(one('incomplete'));
    expect(await world.readCalls(buyer)).toHaveLength(1);
  });
});

describe("buying on Stripe's page", () => {
  it('returns the page, and gives the plan when its session is read after the payment', async () => {
    const buyer = await world.makeBuyer();
    const { url } = await world.hosted(buyer);
    expect((await world.hosted(buyer)).url).toBe(url);
    const paid = await world.payHosted(url);
    const checkout = new URL(paid.headers.get('location') ?? '').searchParams.get('checkout') ?? '';
    expect(await refreshBilling(world.ctx(), { accountId: buyer.id, checkout })).toMatchObject({ tier: 'pro' });
    expect(await world.readCalls(buyer)).toMatchObject([{ kind: 'checkout', state: 'done' }]);
  });

  it('answers the session of another account like a missing one, and reads nothing', async () => {
    const [buyer, other] = [await world.makeBuyer(), await world.makeBuyer()];
    for (const one of [buyer, other]) await world.hosted(one);
    const [session] = (await world.listOf(other)).sessions;
    for (const checkout of [session?.id ?? '', 'cs_test_missing', '../customers'])
      await expect(refreshBilling(world.ctx(), { accountId: buyer.id, checkout })).rejects.toEqual(code('not_found'));
  });
});

describe('an order that was only opened', () => {
  const shown = async ({ id }: Buyer) => {
    await requestCustomerSync(world.db, id);
    while (await syncNextCustomer(world.ctx()));
    const { invoices } = await listInvoices(world, { accountId: id });
    return {
      subscription: (await readBilling(world, id)).subscription,
      invoices: invoices.map(({ status }) => status),
    };
  };
  const nothing = { subscription: null, invoices: [] };

  it('shows no plan and no invoice, also after another one replaced it', async () => {
    const buyer = await world.makeBuyer();
    await world.form(buyer);
    expect(await shown(buyer)).toEqual(nothing);
    await world.form(buyer, 'api_basic');
    expect(await shown(buyer)).toEqual(nothing);
    expect(await listOwnBills(world.db, buyer.id)).toEqual([]);
    expect(await listOwnSubscriptions(world.db, buyer.id)).toEqual([]);
  });

  it('is shown once a payment was tried', async () => {
    const buyer = await world.makeBuyer();
    const { clientSecret } = await world.form(buyer);
    await expect(world.payForm(clientSecret, 'pm_card_visa_chargeDeclined')).rejects.toThrow('declined');
    expect(await shown(buyer)).toMatchObject({ subscription: { badge: 'incomplete' }, invoices: ['open'] });
  });
});

describe('another purchase while one is open', () => {
  it('M5: replaces the subscription when the price is another one', async () => {
    const buyer = await world.makeBuyer();
    const first = await world.form(buyer);
    const second = await world.form(buyer, 'api_basic');
    expect(second).toMatchObject({ plan: { tier: 'api_basic' }, bill: { total: 1_900 } });
    expect(await world.atStripe(buyer)).toEqual(one('incomplete'));
    await expect(world.payForm(first.clientSecret)).rejects.toThrow();
    expect(await world.readCalls(buyer)).toMatchObject([{ state: 'failed', error: 'replaced' }, { state: 'open' }]);
  });

  it('M5: expires the session when the form is used instead, and the other way around', async () => {
    const buyer = await world.makeBuyer();
    const { url } = await world.hosted(buyer);
    await world.form(buyer);
    expect((await world.payHosted(url)).status).toBe(410);
    expect(await world.atStripe(buyer)).toEqual(one('incomplete'));
    await world.hosted(buyer);
    expect(await world.atStripe(buyer)).toEqual({ customers: 1, subscriptions: [], sessions: ['open'] });
  });

  it('M5: leaves one thing to pay when all routes and prices are used at once', async () => {
    const buyer = await world.makeBuyer();
    const ways = Array.from({ length: 8 }, (_, index) => {
      const price = index % 4 < 2 ? 'pro' : 'api_basic';
      return index % 2 ? world.form(buyer, price) : world.hosted(buyer, price);
    });
    const results = await Promise.allSettled(ways);
    for (const result of results) if (result.status === 'rejected') expect(result.reason).toEqual(code('billing_busy'));
    const { customers, subscriptions, sessions } = await world.atStripe(buyer);
    expect([customers, subscriptions.length + sessions.length]).toEqual([1, 1]);
  });

  it.each(['form', 'hosted'] as const)(
    'M5: returns already_subscribed when the one in %s was just paid',
    async (way) => {
      const buyer = await world.makeBuyer();
      if (way === 'form') await world.payForm((await world.form(buyer)).clientSecret);
      else await world.payHosted((await world.hosted(buyer)).url);
      for (const again of [() => world.form(buyer, 'api_basic'), () => world.hosted(buyer), () => world.form(buyer)])
        await expect(again()).rejects.toEqual(code('already_subscribed'));
      expect(await world.atStripe(buyer)).toMatchObject({ subscriptions: ['active'] });
      await syncAccount(world.ctx(), buyer.id);
      expect(await readTier(buyer)).toEqual({ tier: 'pro' });
    },
  );

  it.each([
    ['form', '/v1/subscriptions/sub_'],
    ['hosted', '/v1/checkout/sessions/cs_'],
  ] as const)('M5: keeps the plan when the one in %s is paid while another price replaces it', async (way, path) => {
    const buyer = await world.makeBuyer();
    const pay =
      way === 'form'
        ? await world.form(buyer).then(
            ({ clientSecret }) =>
              () =>
                world.payForm(clientSecret),
          )
        : await world.hosted(buyer).then(
            ({ url }) =>
              () =>
                world.payHosted(url),
          );
    const proxy = await openHoldingProxy(world.stripe.double.url, path);
    onTestFinished(proxy.close);
    const payments = world.openClient(proxy.url);
    onTestFinished(payments.close);
    const replacing = world.form(buyer, 'api_basic', payments);
    const replaced = expect(replacing).rejects.toEqual(code('already_subscribed'));
    await proxy.held;
    await pay();
    proxy.release();
    await replaced;
    expect(await world.atStripe(buyer)).toMatchObject({ subscriptions: ['active'] });
    await refreshBilling(world.ctx(), { accountId: buyer.id });
    expect(await readTier(buyer)).toEqual({ tier: 'pro' });
  });

  it('starts a new one when the open one ended at Stripe', async () => {
    const buyer = await world.makeBuyer();
    const { clientSecret } = await world.form(buyer);
    const [subscription] = (await world.listOf(buyer)).subscriptions;
    await fetch(`${world.stripe.double.url}/v1/subscriptions/${subscription?.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${world.stripe.env.STRIPE_SECRET_KEY}` },
    });
    expect((await world.form(buyer)).clientSecret).not.toBe(clientSecret);
    expect(await world.atStripe(buyer)).toEqual(one('incomplete'));
  });
});

describe('a rejected purchase', () => {
  it('returns already_subscribed to subscribers, also before the subscription is synced', async () => {
    const subscriber = await world.subscribe('pro');
    const buyer = { id: subscriber.accountId, email: 'ada@example.test', emailVerified: true };
    await world.pay(subscriber);
    await expect(world.hosted(buyer)).rejects.toEqual(code('already_subscribed'));
    await syncAccount(world.ctx(), buyer.id);
    await expect(world.form(buyer)).rejects.toEqual(code('already_subscribed'));
  });

  it('returns email_unverified before the address is confirmed', async () => {
    const buyer = { ...(await world.makeBuyer()), emailVerified: false };
    for (const buy of [world.form, world.hosted]) await expect(buy(buyer)).rejects.toEqual(code('email_unverified'));
    expect(await world.readCalls(buyer)).toEqual([]);
  });

  it.each([
    ['an unknown price', 'price_unknown'],
    ['a plan without a price', 'free'],
    ['a plan that is sold by email', 'enterprise'],
    ['another name than the plan has', { priceId: 'pro', planName: 'API Pro' }],
  ])('returns price_not_found for %s', async (_case, what) => {
    const buyer = await world.makeBuyer();
    for (const buy of [world.form, world.hosted])
      await expect(buy(buyer, what)).rejects.toEqual(code('price_not_found'));
    expect(await world.atStripe(buyer)).toMatchObject({ customers: 0 });
  });

  it('returns price_not_found for a price of another product in the Stripe account', async () => {
    const product = (await world.post('products', { name: 'Other' })).id;
    const fields = { product, currency: 'usd', unit_amount: '1', 'recurring[interval]': 'month' };
    const price = await world.post('prices', fields);
    await expect(world.form(await world.makeBuyer(), price.id)).rejects.toEqual(code('price_not_found'));
  });

  it('returns price_not_found for a price that is no longer sold', async () => {
    const row = {
      tier: 'pro',
      planVersion: 0,
      interval: 'month',
      amount: 500,
      currency: 'usd',
      active: false,
    } as const;
    await world.db
      .insertInto('prices')
      .values({ ...row, id: 'price_former', lookupKey: 'former' })
      .execute();
    await expect(world.form(await world.makeBuyer(), 'price_former')).rejects.toEqual(code('price_not_found'));
  });

  it('accepts the name of the plan with its price', async () => {
    const what = { priceId: await world.findPrice('pro'), planName: 'Pro' };
    expect(await world.form(await world.makeBuyer(), what)).toMatchObject({ plan: { tier: 'pro' } });
  });
});

describe('the customer at Stripe', () => {
  it('is created once, and gets the current email address with the next purchase', async () => {
    const buyer = await world.makeBuyer();
    await world.form(buyer);
    const [customer] = (await world.listOf(buyer)).customers;
    const moved = { ...buyer, email: `new-${buyer.email}` };
    await world.form(moved, 'api_basic');
    const { customers } = await world.listOf(moved);
    expect(customers).toMatchObject([{ id: customer?.id, email: moved.email, accountId: buyer.id }]);
    expect((await world.listOf(buyer)).customers).toEqual([]);
  });

  it('gets the address that an account changed later, also after an error of Stripe', async () => {
    const buyer = await world.makeBuyer();
    await world.form(buyer);
    const moved = { ...buyer, email: `moved-${buyer.email}` };
    await world.db.updateTable('users').set({ email: moved.email }).where('id', '=', buyer.id).execute();
    await world.control('failures', { when: 'before', kind: 'error', method: 'POST', path: '/v1/customers', times: 9 });
    expect(await syncCustomerEmails(world.ctx())).toBe(0);
    expect(await syncCustomerEmails(world.ctx())).toBe(0);
    await world.dispatch();
    expect((await world.listOf(moved)).customers).toMatchObject([{ accountId: buyer.id }]);
    expect(await syncCustomerEmails(world.ctx())).toBe(0);
    const calls = await world.readCalls(buyer);
    expect(calls).toMatchObject([{ kind: 'subscribe' }, { kind: 'email', state: 'done' }]);
    expect(calls[1]?.request).toEqual({});
  });
});
