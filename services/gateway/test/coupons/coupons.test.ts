import { randomUUID } from 'node:crypto';
import { couponRules } from '@uprez/contracts/policy/billing/coupons';
import type { NewCouponInput } from '@uprez/contracts/schemas/billing/coupons';
import { reserveCoupon } from '@uprez/domain/billing/coupons/reserve-coupon';
import { syncCatalog } from '@uprez/domain/billing/sync-catalog';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { openTestStripe } from '@uprez/testing/billing/open-test-stripe';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { makeCheckedFetch } from '../support/checked-fetch.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

const stripe = fileFixture(openTestStripe);
const gateway = fileFixture(async () => {
  const started = await startTestGateway(stripe.env);
  await syncCatalog({ db: started.ctx.db, payments: stripe.payments }, { onChange: () => {} });
  return started;
});
const admin = fileFixture(() => signUpAdmin(gateway));
const user = fileFixture(() => gateway.signUp());
const anonymous = makeCheckedFetch(fetch);
beforeEach(async () => {
  await gateway.ctx.db.deleteFrom('attempts').execute();
});

const check = async (code: string, { priceId, by = user.fetch }: { priceId?: string; by?: typeof fetch } = {}) => {
  const query = priceId ? `?priceId=${priceId}` : '';
  const response = await by(`${gateway.url}/api/coupons/${code}${query}`);
  const body = response.ok ? await response.json() : await response.text();
  return { status: response.status, code: response.headers.get('x-error-code'), body };
};
const create = (body: Partial<NewCouponInput>) =>
  admin.fetch(`${gateway.url}/api/admin/payments/coupons`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/problem+json' },
    body: JSON.stringify({ code: `NEW-${randomUUID().slice(0, 8)}`, description: 'Launch', ...body }),
  });

describe('GET /api/coupons/{code}', () => {
  it('returns what a code gives for a plan, to users and visitors, in any case', async () => {
    const coupon = await makeCoupon(gateway.ctx.db, { percent: 33, duration: 'months', durationMonths: 3 });
    const plan = { tier: 'pro', interval: 'month', price: 700, discount: 231, total: 469, currency: 'usd' };
    const terms = {
      code: coupon.code,
      discountType: 'percentage',
      discountValue: 33,
      duration: 'months',
      durationMonths: 3,
    };
    expect((await check(coupon.code, { priceId: 'pro' })).body).toMatchObject({ ...terms, plan });
    expect((await check(coupon.code.toLowerCase(), { by: anonymous })).body).toMatchObject({ ...terms, plan: null });
  });

  it('returns a total of 0 when the discount exceeds the price', async () => {
    const { code } = await makeCoupon(gateway.ctx.db, { amount: 5_000 });
    const plan = { price: 700, discount: 700, total: 0 };
    expect((await check(code, { priceId: 'pro' })).body).toMatchObject({
      discountType: 'fixed',
      discountValue: 50,
      plan,
    });
  });

  it.each([
    [
      'coupon_expired',
      'This code has expired. Remove it or enter another code.',
      { expiresAt: new Date(Date.now() - 1_000) },
    ],
    ['coupon_used_up', 'This code has reached its usage limit. Remove it to continue.', { maxUses: 2, uses: 2 }],
    ['coupon_disabled', 'This code is no longer valid. Remove it or enter another code.', { disabledAt: new Date() }],
    [
      'coupon_wrong_plan',
      "This code isn't valid for this plan. Remove it, or choose another plan.",
      { tiers: ['api_pro' as const] },
    ],
  ])('returns %s for such a code', async (error, body, change) => {
    const { code } = await makeCoupon(gateway.ctx.db, change);
    expect(await check(code, { priceId: 'pro' })).toEqual({ status: 409, code: error, body });
  });

  it('returns coupon_not_found for unknown codes, and price_not_found for unknown plans', async () => {
    const body = "This code doesn't exist. Check its spelling.";
    expect(await check('NO-SUCH-CODE')).toEqual({ status: 404, code: 'coupon_not_found', body });
    expect(await check('x')).toMatchObject({ code: 'coupon_not_found' });
    expect(await check('%F0%9F%98%80')).toMatchObject({ code: 'coupon_not_found' });
    expect(await check('NO-SUCH-CODE', { priceId: 'gold' })).toMatchObject({ code: 'price_not_found' });
  });

  it('returns coupon_used when the account has redeemed it, but not for its own reservation', async () => {
    const { db } = gateway.ctx;
    const { code } = await makeCoupon(db, { maxUses: 1 });
    const use = { code, accountId: user.user.id, tier: 'pro', callId: randomUUID() } as const;
    await db.transaction().execute((tx) => reserveCoupon(tx, use));
    expect(await check(code)).toMatchObject({ status: 200 });
    expect(await check(code, { by: anonymous })).toMatchObject({ code: 'coupon_used_up' });
    await db
      .updateTable('couponRedemptions')
      .set({ redeemedAt: new Date() })
      .where('callId', '=', use.callId)
      .execute();
    const body = 'You have already used this code. Remove it or enter another code.';
    expect(await check(code)).toEqual({ status: 409, code: 'coupon_used', body });
  });

  it('M6: returns 429 with a time to wait after too many unknown codes, also for known ones', async () => {
    const { code } = await makeCoupon(gateway.ctx.db);
    const guess = () => check(`GUESS-${randomUUID().slice(0, 8)}`);
    for (let i = 0; i < 30; i += 1) expect((await check(code)).status).toBe(200);
    for (let i = 0; i < couponRules.accountGuesses; i += 1) expect((await guess()).code).toBe('coupon_not_found');
    const body = 'Too many unknown codes. Try again in 15 minutes.';
    expect(await guess()).toEqual({ status: 429, code: 'rate_limited', body });
    expect(await check(code)).toMatchObject({ status: 429 });
    const other = await gateway.signUp();
    expect(await check(code, { by: other.fetch })).toMatchObject({ status: 200 });
    const left = couponRules.addressGuesses - couponRules.accountGuesses;
    for (let i = 0; i < left; i += 1) await check(`GUESS-${i}`, { by: anonymous });
    expect(await check(code, { by: anonymous })).toMatchObject({ status: 429 });
    expect(await check(code, { by: other.fetch })).toMatchObject({ status: 429 });
  });

  it("returns billing_not_configured without Stripe's keys", async () => {
    const without = await startTestGateway();
    onTestFinished(without.close);
    const response = await anonymous(`${without.url}/api/coupons/ANY`);
    expect(response.headers.get('x-error-code')).toBe('billing_not_configured');
  });
});

describe('POST /api/admin/payments/coupons', () => {
  it('creates a coupon of 10 percent for one bill by default', async () => {
    const response = await create({ code: 'default-10' });
    expect([response.status, await response.json()]).toEqual([
      201,
      expect.objectContaining({
        ...{ code: 'DEFAULT-10', discountType: 'percentage', discountValue: 10, duration: 'once', state: 'active' },
        ...{ maxUses: null, uses: 0, perAccount: 1, plans: [], expiresAt: null, isSynced: false },
      }),
    ]);
  });

  it('takes a fixed amount, plans, limits, and a last day', async () => {
    const response = await create({
      ...{ discountType: 'fixed', discountValue: 7.5, duration: 'months', durationMonths: 6 },
      ...{ plans: ['pro', 'pro'], maxUses: 3, perAccount: 2, expiresAt: '2100-12-31' },
    });
    expect(await response.json()).toMatchObject({
      ...{ discountType: 'fixed', discountValue: 7.5, durationMonths: 6 },
      ...{ plans: ['pro'], maxUses: 3, perAccount: 2, expiresAt: '2101-01-01T00:00:00.000Z' },
    });
  });

  it.each([
    [{ code: 'ab' }, 'code', 'Code must be at least 3 characters'],
    [{ code: 'a b c' }, 'code', 'Code can contain letters, digits, and hyphens.'],
    [{ discountValue: 0 }, 'discountValue', 'Discount value must be greater than 0'],
    [{ discountValue: 0.5 }, 'discountValue', 'Discount value must be greater than 0'],
    [{ discountValue: 101 }, 'discountValue', "A percentage can't be greater than 100."],
    [{ discountValue: 12.5 }, 'discountValue', 'A percentage must be a whole number.'],
    [{ discountType: 'fixed' as const, discountValue: 1.005 }, 'discountValue', 'An amount can have two decimals.'],
    [{ description: ' ' }, 'description', 'Description is required'],
    [{ duration: 'months' as const }, 'durationMonths', 'Enter the number of months.'],
    [{ durationMonths: 2 }, 'durationMonths', 'Enter the number of months.'],
    [{ plans: ['free' as const] }, 'plans', 'Choose plans that are sold.'],
    [{ expiresAt: 'soon' }, 'expiresAt', 'Enter a date such as 2030-12-31.'],
    [{ expiresAt: '2020-01-01' }, 'expiresAt', 'Choose a date in the future.'],
  ])('returns 422 for %j', async (body, param, detail) => {
    const problem = await (await create(body)).json();
    expect(problem).toMatchObject({ status: 422, code: 'invalid_parameter', param, detail });
  });

  it('returns coupon_taken for a code that exists, in any case', async () => {
    await create({ code: 'TAKEN' });
    expect(await (await create({ code: 'taken' })).json()).toMatchObject({ status: 409, code: 'coupon_taken' });
  });
});

describe('the list of coupons', () => {
  const list = async (query: string) => {
    const response = await admin.fetch(`${gateway.url}/api/admin/payments/coupons?${query}`);
    const coupons: { code: string; state: string }[] = await response.json();
    return { codes: coupons.map(({ code }) => code), coupons, headers: response.headers };
  };

  it('is searched, filtered by state, and divided into pages', async () => {
    const { db } = gateway.ctx;
    const description = `list ${randomUUID()}`;
    const search = `search=${encodeURIComponent(description)}`;
    await makeCoupon(db, { id: '01900000-0000-7000-8000-000000000001', description });
    await makeCoupon(db, { id: '01900000-0000-7000-8000-000000000002', description, disabledAt: new Date() });
    await makeCoupon(db, { id: '01900000-0000-7000-8000-000000000003', description, expiresAt: new Date(0) });
    await makeCoupon(db, { id: '01900000-0000-7000-8000-000000000004', description, maxUses: 1, uses: 1 });
    const all = await list(search);
    expect(all.coupons.map(({ state }) => state)).toEqual(['used_up', 'expired', 'disabled', 'active']);
    for (const { code, state } of all.coupons) expect((await list(`${search}&status=${state}`)).codes).toEqual([code]);
    const first = await list(`${search}&limit=3`);
    expect([first.codes, first.headers.get('x-total-count')]).toEqual([all.codes.slice(0, 3), '4']);
    const next = /<\/api\/admin\/payments\/coupons\?(.+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1];
    expect((await list(next ?? '')).codes).toEqual(all.codes.slice(3));
    const csv = await admin.fetch(`${gateway.url}/api/admin/payments/coupons/export?${search}&status=disabled`);
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header, ...rows] = (await csv.text()).trim().split('\r\n');
    expect(header).toContain('coupon,code,description,discount_type,discount_value,');
    expect(rows).toEqual([expect.stringContaining(`${all.codes[2]},${description},percentage,10,`)]);
  });

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', ' =1+1'])('A12: is exported without the formula %j', async (description) => {
    const { code } = await makeCoupon(gateway.ctx.db, { description });
    const csv = await admin.fetch(`${gateway.url}/api/admin/payments/coupons/export?search=${code}`);
    expect(await csv.text()).toContain(`'${description}`);
  });

  it('shows who uses a coupon, and disables it', async () => {
    const { db } = gateway.ctx;
    const { id, code } = await makeCoupon(db);
    const use = { code, accountId: user.user.id, tier: 'pro', callId: randomUUID() } as const;
    await db.transaction().execute((tx) => reserveCoupon(tx, use));
    const path = `${gateway.url}/api/admin/payments/coupons/${id}`;
    const redemptions = await (await admin.fetch(`${path}/redemptions`)).json();
    expect(redemptions).toEqual([expect.objectContaining({ state: 'reserved', email: user.email, redeemedAt: null })]);
    const put = (disabled: boolean) =>
      admin.client.adminUpdateCoupon({ params: { id }, body: { disabled } }).then(({ data }) => data);
    expect(await put(true)).toMatchObject({ state: 'disabled', uses: 1 });
    expect(await check(code)).toMatchObject({ code: 'coupon_disabled' });
    expect(await put(false)).toMatchObject({ state: 'active' });
    const trail = db.selectFrom('audits').select('action').where('subject', '=', `coupon:${id}`);
    const actions = (await trail.orderBy('createdAt').execute()).map(({ action }) => action);
    expect(actions).toEqual(['coupon.disable', 'coupon.enable']);
  });
});
