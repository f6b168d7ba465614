import type { Endpoint } from '@uprez/contracts/endpoints/endpoint';
import { endpoints } from '@uprez/contracts/endpoints/endpoints';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { fileFixture } from '@uprez/testing/fixtures';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { openShop, postJson } from '../../support/open-shop.ts';

const shop = fileFixture(openShop);
const user = fileFixture(() => shop.signUp());
const admin = fileFixture(() => signUpAdmin(shop.gateway));

const coupon = { code: 'SAVE-10', description: 'Launch' };
/** Valid bodies of the writes that decide about money, by who sends them. */
const ofUsers: Partial<Record<RouteName, object>> = {
  createCheckoutSession: { priceId: 'pro' },
  createSubscription: { priceId: 'pro' },
  buyPack: { pack: 'small' },
  refreshBilling: {},
  previewChange: { priceId: 'pro' },
  changePlan: { priceId: 'pro', previewId: 'x' },
  cancelSubscription: {},
  refundSubscription: {},
  resumeSubscription: {},
  pauseSubscription: { months: 1 },
  createLead: { name: 'Eve', company: 'Eve', email: 'eve@example.test', message: 'Hello, how much is it?' },
};
const ofAdmins: Partial<Record<RouteName, object>> = {
  adminCreateCoupon: coupon,
  adminUpdateCoupon: { disabled: true },
  adminCancelSubscription: { when: 'now' },
  adminRefundTransaction: { amount: 1, refunded: 0 },
  adminInviteLead: { email: 'eve@example.test', interval: 'month' },
  adminSendCheckoutLink: { interval: 'year' },
  putBillingSettings: { yearly: { pro: null, api_basic: null, api_pro: null }, packs: [] },
};
/** Fields that a body must not set. */
const stolen = {
  ...{ role: 'admin', isAdmin: true, tier: 'enterprise', plan: 'enterprise', credits: 1_000, units: 1_000 },
  ...{ price: 0, unit_amount: 0, currency: 'jpy', quantity: 0, discount: 100, status: 'paid' },
  ...{ customer: 'cus_other', customerId: 'cus_other', account_id: 'x', accountId: 'x', userId: 'x' },
  ...{ metadata: { app: 'uprez', account: 'x' }, subscriptionId: 'sub_x', previewKind: 'downgrade', trial_end: 9e9 },
};

/** All that money depends on, as text. */
async function readState(): Promise<string> {
  const { db } = shop;
  const tables = ['billing_calls', 'billing_customers', 'coupons', 'coupon_redemptions', 'leads', 'settings', 'prices'];
  const texts = await Promise.all(
    tables.map(async (name) => (await sql`select t::text from ${sql.table(name)} t order by 1`.execute(db)).rows),
  );
  const users = await db.selectFrom('users').select(['id', 'role', 'tier', 'overrideTier']).orderBy('id').execute();
  return JSON.stringify([texts, users]);
}

const send = (name: RouteName, body: object) =>
  (name in ofUsers ? user : admin).fetch(shop.gateway.url + routes[name].path.replace(':id', 'x'), {
    method: routes[name].method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('A2: fields that decide about money', () => {
  const bodies = Object.entries({ ...ofUsers, ...ofAdmins }) as [RouteName, object][];

  it.each(bodies)('%s: rejects each of them in a valid body, and changes nothing', async (name, body) => {
    const { body: schema }: Endpoint = endpoints[name];
    for (const [field, value] of Object.entries(stolen)) {
      const unknown = expect.objectContaining({ code: 'unrecognized_keys', keys: [field] });
      expect(schema?.safeParse({ ...body, [field]: value }).error?.issues, field).toContainEqual(unknown);
    }
    await Promise.all([user, admin]);
    const before = await readState();
    const response = await send(name, { ...body, ...stolen });
    expect([response.status, response.headers.get('x-error-code')]).toEqual([422, 'invalid_parameter']);
    expect(await readState()).toBe(before);
    expect((await shop.atStripe(user)).customers).toBe(0);
  });

  it('covers all writes of billing with a body', () => {
    const writes = (Object.keys(routes) as RouteName[]).filter(
      (name) =>
        routes[name].method !== 'GET' &&
        /^\/api\/(billing|create-|leads|admin\/(payments|settings\/billing))/.test(routes[name].path),
    );
    const withoutBody = [
      'undoChange',
      'changeCard',
      'payInvoice',
      'adminRetryInvoice',
      'adminResyncAccount',
      'adminRetryStripeEvent',
    ];
    expect(writes.sort()).toEqual([...bodies.map(([name]) => name), ...withoutBody].sort());
  });
});

const huge = 'x'.repeat(10_000);
/** Sent as text: JSON has numbers that JavaScript can't write. */
const numbers = [
  '-1',
  '0',
  '1.5',
  '4',
  '"1"',
  '1e400',
  '-1e400',
  '1e-7',
  'null',
  '[1]',
  '{}',
  'true',
  '9007199254740993',
];

describe('A2: amounts and choices that are out of range', () => {
  const raw = async (name: RouteName, text: string) => {
    const response = await (name in ofUsers ? user : admin).fetch(
      shop.gateway.url + routes[name].path.replace(':id', 'pi_missing'),
      { method: routes[name].method, headers: { 'content-type': 'application/json' }, body: text },
    );
    return response.headers.get('x-error-code');
  };

  it.each(numbers)('returns 422 for pauses of %s months', async (number) => {
    expect(await raw('pauseSubscription', `{"months":${number}}`)).toBe('invalid_parameter');
  });

  it.each(numbers.filter((number) => number !== '4' && number !== '9007199254740993'))(
    'returns 422 for refunds and discounts of %s',
    async (number) => {
      const refund = `{"amount":${number},"refunded":0}`;
      expect(await raw('adminRefundTransaction', refund)).toBe('invalid_parameter');
      // A discount has a default.
      if (number === 'null') return;
      const fields = `"code":"SAVE-${number.length}","description":"Launch","duration":"once"`;
      if (number !== '1.5')
        expect(await raw('adminCreateCoupon', `{${fields},"discountType":"fixed","discountValue":${number}}`)).toBe(
          'invalid_parameter',
        );
      expect(await raw('adminCreateCoupon', `{${fields},"discountValue":${number}}`)).toBe('invalid_parameter');
    },
  );

  it.each(['9007199254740993', '100000001', '1e15'])(
    'returns 422 for a refund and a discount of %s',
    async (number) => {
      const refund = `{"amount":${number},"refunded":0}`;
      expect(await raw('adminRefundTransaction', refund)).toBe('invalid_parameter');
      const fields = '"code":"HUGE","description":"Launch","discountType":"fixed"';
      expect(await raw('adminCreateCoupon', `{${fields},"discountValue":${number}}`)).toBe('invalid_parameter');
    },
  );

  it.each([
    '',
    ' ',
    huge,
    'pro\u0000',
    '__proto__',
    'constructor',
    'price_missing',
    "' or 1=1 --",
    'free',
    'PRO',
    'pro ',
  ])('sells nothing for the price %j, except to names with spaces around them', async (priceId) => {
    const buyer = await shop.signUp();
    const { status, code } = await postJson(buyer, `${shop.gateway.url}/api/create-subscription`, { priceId });
    if (priceId === 'pro ') expect(status).toBe(200);
    else expect(['invalid_parameter', 'price_not_found']).toContain(code);
    expect((await shop.atStripe(buyer)).customers).toBe(priceId === 'pro ' ? 1 : 0);
  });

  it.each([
    ['full-width letters', '\uff33\uff21\uff36\uff25'],
    ['a letter with two letters as its capital', 'SAVE-ß'],
    ['a zero-width space', 'SA\u200bVE'],
    ['a combining mark', 'SAVE\u0301'],
    ['a right-to-left override', '\u202eSAVE'],
    ['a null', 'SAVE\u0000'],
    ['a wildcard', 'SAV%'],
    ['an i without its dot', 'L\u0131MIT'],
    ['the Kelvin sign', '\u212aELVIN'],
  ])('no code is found by %s', async (_case, code) => {
    const codes = ['SAVE', 'SAVE-SS', 'LIMIT', 'KELVIN'];
    const rows = codes.map((known) => ({ id: crypto.randomUUID(), code: known, description: 'Launch', percent: 10 }));
    await shop.db
      .insertInto('coupons')
      .values(
        rows.map((row) => ({
          ...row,
          currency: 'usd',
          duration: 'once' as const,
          promotionCodeId: `promo_${row.code}`,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await shop.db.deleteFrom('attempts').execute();
    const buyer = await shop.signUp();
    const bought = await postJson(buyer, `${shop.gateway.url}/api/create-subscription`, {
      priceId: 'pro',
      coupon: code,
    });
    expect(['coupon_not_found', 'invalid_parameter']).toContain(bought.code);
    expect((await shop.atStripe(buyer)).customers).toBe(0);
  });
});
