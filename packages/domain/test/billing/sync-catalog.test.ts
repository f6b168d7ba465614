import type { CatalogPlan } from '@uprez/domain/billing/catalog';
import { listPlanCards } from '@uprez/domain/billing/list-plan-cards';
import { type CatalogChange, syncCatalog } from '@uprez/domain/billing/sync-catalog';
import type { FailureInput } from '@uprez/local-stack/stripe/http/failures';
import { createPrice, findProduct, listActivePrices, type NewPrice, updateProduct } from '@uprez/payments/catalog';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { testFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { describe, expect, it, onTestFinished } from 'vitest';

const stripe = testFixture(openTestStripe);
const database = testFixture(() => openTestDatabase());

/** A plan with prices in cents. */
const pro = (month: number, year?: number, planVersion = 1): CatalogPlan => ({
  tier: 'pro',
  name: 'Uprez Pro',
  description: 'For photos.',
  prices: [
    { interval: 'month', planVersion, amount: month },
    ...(year === undefined ? [] : [{ interval: 'year' as const, planVersion, amount: year }]),
  ],
});
const basic: CatalogPlan = {
  ...pro(1_900),
  tier: 'api_basic',
  name: 'Uprez API Basic',
};

const ctx = ({ db } = database) => ({ db, payments: stripe.payments });
/** Runs a sync. Returns its changes as `created price uprez_pro_month_v1_700`. */
async function sync(catalog?: readonly CatalogPlan[], db = database.db): Promise<string[]> {
  const changes: CatalogChange[] = [];
  await syncCatalog(ctx({ ...database, db }), { ...(catalog && { catalog }), onChange: (one) => changes.push(one) });
  return changes.map(({ change, object, name }) => `${change} ${object} ${name}`);
}
/** Lookup keys of the prices that can be bought, as Stripe and the table have them. */
async function readActive(tier: 'pro' | 'api_basic' = 'pro') {
  const { items } = await listActivePrices(stripe.payments, { productId: `uprez_${tier}` });
  const rows = await database.db.selectFrom('prices').selectAll().where('active', '=', true).execute();
  const keysOf = (prices: readonly { id: string; lookupKey: string | null }[]) =>
    prices.map(({ id, lookupKey }) => `${lookupKey} ${id}`).sort();
  return { atStripe: keysOf(items), inTable: keysOf(rows.filter((row) => row.tier === tier)) };
}
const keys = (prices: readonly string[]) => prices.map((price) => price.split(' ')[0]);

it('creates the products and monthly prices of the plans that can be bought', async () => {
  expect(await sync()).toEqual([
    'created product Uprez Pro',
    'created price uprez_pro_month_v1_700',
    'created product Uprez API Basic',
    'created price uprez_api_basic_month_v1_1900',
    'created product Uprez API Pro',
    'created price uprez_api_pro_month_v1_4900',
    'created product Uprez Enterprise',
    'created price uprez_enterprise_month_v1_14900',
  ]);
  const rows = await database.db.selectFrom('prices').selectAll().orderBy('amount').execute();
  expect(rows[0]).toMatchObject({ tier: 'pro', interval: 'month', planVersion: 1, amount: 700, currency: 'usd' });
  const { atStripe, inTable } = await readActive();
  expect(inTable).toEqual(atStripe);
  expect(await findProduct(stripe.payments, 'uprez_pro')).toMatchObject({ name: 'Uprez Pro', isOurs: true });
});

it('changes nothing when repeated', async () => {
  await sync();
  const before = await readActive();
  expect(await sync()).toEqual([]);
  expect(await readActive()).toEqual(before);
});

it('archives the old price when the amount or the version changes, and restores it', async () => {
  await sync([pro(700)]);
  expect(await sync([pro(900)])).toEqual([
    'created price uprez_pro_month_v1_900',
    'archived price uprez_pro_month_v1_700',
  ]);
  expect(await sync([pro(900, undefined, 2)])).toEqual([
    'created price uprez_pro_month_v2_900',
    'archived price uprez_pro_month_v1_900',
  ]);
  expect(await sync([pro(700)])).toEqual([
    'restored price uprez_pro_month_v1_700',
    'archived price uprez_pro_month_v2_900',
  ]);
  const { atStripe, inTable } = await readActive();
  expect(inTable).toEqual(atStripe);
  expect(keys(inTable)).toEqual(['uprez_pro_month_v1_700']);
  expect(await database.db.selectFrom('prices').select('id').execute()).toHaveLength(3);
});

it('sells a plan by the year while the catalog has the price', async () => {
  await sync([pro(700, 7_000)]);
  const card = async () => (await listPlanCards(database)).find(({ key }) => key === 'pro');
  const [{ id }] = (await database.db.selectFrom('prices').select('id').where('interval', '=', 'year').execute()) as [
    { id: string },
  ];
  expect(await card()).toMatchObject({ yearly: { price: 70, priceId: id } });
  expect(await sync([pro(700)])).toEqual(['archived price uprez_pro_year_v1_7000']);
  expect(await card()).toMatchObject({ yearly: null });
});

it('archives the prices of a plan that is no longer sold', async () => {
  await sync([pro(700), basic]);
  expect(await sync([pro(700)])).toEqual(['archived price uprez_api_basic_month_v1_1900']);
  expect(await readActive('api_basic')).toEqual({ atStripe: [], inTable: [] });
});

it('corrects the name of a product, and keeps prices that are not ours', async () => {
  await sync([pro(700)]);
  const { payments, double } = stripe;
  await updateProduct(payments, { productId: 'uprez_pro', name: 'Old', description: 'Old', idempotencyKey: 'name' });
  const body = new URLSearchParams({ product: 'uprez_pro', currency: 'usd', unit_amount: '1' });
  const headers = { authorization: 'Bearer sk_test_local' };
  expect((await fetch(`${double.url}/v1/prices`, { method: 'POST', headers, body })).status).toBe(200);
  expect(await sync([pro(700)])).toEqual(['updated product Uprez Pro']);
  expect(await findProduct(payments, 'uprez_pro')).toMatchObject({ name: 'Uprez Pro', description: 'For photos.' });
  expect((await readActive()).atStripe).toHaveLength(2);
});

it('throws when the lookup key belongs to a price of another amount', async () => {
  await sync([pro(700)]);
  const lookupKey = 'uprez_pro_month_v1_900';
  const sold: NewPrice['sold'] = { tier: 'pro', planVersion: 1 };
  const other = { productId: 'uprez_pro', amount: 800, currency: 'usd', interval: 'month', lookupKey, sold } as const;
  const { id } = await createPrice(stripe.payments, { ...other, idempotencyKey: 'other' });
  await expect(sync([pro(900)])).rejects.toThrow(
    `The price ${id} at Stripe has the lookup key ${lookupKey}, but another amount.`,
  );
});

describe('a database of another Stripe account', () => {
  const belongsToOther = () =>
    database.db.insertInto('instance').values({ name: 'stripe_account', value: 'acct_1 (live mode)' }).execute();

  it('throws when it has customers', async () => {
    await belongsToOther();
    await database.db.insertInto('billingCustomers').values({ stripeId: 'cus_1', accountId: null }).execute();
    await expect(sync()).rejects.toThrow(
      'The database belongs to the Stripe account acct_1 (live mode), but the keys to acct_local (test mode).',
    );
    expect(await findProduct(stripe.payments, 'uprez_pro')).toBeUndefined();
  });

  it('moves to the account of the keys without customers, with new prices', async () => {
    await belongsToOther();
    const former = { id: 'price_former', tier: 'pro', interval: 'month', planVersion: 1, amount: 700 } as const;
    const row = { ...former, currency: 'usd', lookupKey: 'uprez_pro_month_v1_700', active: true };
    await database.db.insertInto('prices').values(row).execute();
    const { id } = await makeCoupon(database.db);
    expect(await sync()).toContain('created price uprez_pro_month_v1_700');
    const { atStripe, inTable } = await readActive();
    expect(inTable).toEqual(atStripe);
    const coupon = database.db.selectFrom('coupons').select('promotionCodeId').where('id', '=', id);
    expect(await coupon.executeTakeFirst()).toEqual({ promotionCodeId: null });
  });
});

describe('a sync that is interrupted', () => {
  const failures: FailureInput[] = [
    { when: 'before', kind: 'error', method: 'GET', path: '/v1/account' },
    { when: 'before', kind: 'error', method: 'POST', path: '/v1/products' },
    { when: 'after', kind: 'error', method: 'POST', path: '/v1/products' },
    { when: 'after', kind: 'error', method: 'POST', path: '/v1/prices' },
    { when: 'after', kind: 'error', method: 'POST', path: '/v1/prices/price_' },
    { when: 'before', kind: 'error', method: 'POST', path: '/v1/prices/price_' },
    { when: 'before', kind: 'reset', method: 'GET', path: '/v1/prices' },
  ];

  it.each(failures)('is completed by the next one: %o', async (failure) => {
    await sync([pro(700)]);
    stripe.double.failures.add({ ...failure, times: 2 });
    const next = [pro(900, 9_000), basic];
    await expect(sync(next)).rejects.toThrow('payments: ');
    stripe.double.failures.clear();
    await sync(next);
    const { atStripe, inTable } = await readActive();
    expect(inTable).toEqual(atStripe);
    expect(keys(inTable)).toEqual(['uprez_pro_month_v1_900', 'uprez_pro_year_v1_9000']);
    expect(keys((await readActive('api_basic')).atStripe)).toEqual(['uprez_api_basic_month_v1_1900']);
    expect(await sync(next)).toEqual([]);
  });

  it('keeps the old price on sale until the new one is in the table', async () => {
    await sync([pro(700)]);
    const before = await readActive();
    stripe.double.failures.add({ when: 'before', kind: 'error', method: 'POST', path: '/v1/products', times: 2 });
    await expect(sync([pro(900), basic])).rejects.toThrow('payments: unavailable');
    stripe.double.failures.clear();
    const { atStripe, inTable } = await readActive();
    expect(inTable).toEqual(before.inTable);
    expect(atStripe).toContain(before.atStripe[0]);
  });
});

describe('two syncs at once', () => {
  it('create each product and price once', async () => {
    const changes = await Promise.all([sync(), sync(), sync()]);
    expect(changes.map(({ length }) => length).sort()).toEqual([0, 0, 8]);
  });

  it('share the prices of two installations that use one account', async () => {
    const other = await openTestDatabase();
    onTestFinished(other.close);
    await Promise.all([sync(), sync(undefined, other.db)]);
    const idsOf = async ({ db } = database) =>
      (await db.selectFrom('prices').select('id').orderBy('id').execute()).map(({ id }) => id);
    expect(await idsOf(other)).toEqual(await idsOf());
    expect((await readActive()).atStripe).toHaveLength(1);
  });
});
