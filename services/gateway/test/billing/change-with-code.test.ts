import { randomUUID } from 'node:crypto';
import { couponRules } from '@uprez/contracts/policy/billing/coupons';
import { insertRedemption } from '@uprez/db/queries/coupons/redemptions';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { openSubscribers } from '../support/open-subscribers.ts';

const world = fileFixture(openSubscribers);
beforeEach(async () => {
  await world.ctx.db.deleteFrom('attempts').execute();
});

type User = { fetch: typeof fetch };
const makeCoupon = (terms: Parameters<typeof makeSyncedCoupon>[1] = {}) => makeSyncedCoupon(world.ctx, terms);
const headers = { 'content-type': 'application/json' };
async function send(user: User, call: 'preview' | 'change' | 'resume', body: object) {
  const sent = { method: 'POST', headers, body: JSON.stringify(body) };
  const response = await user.fetch(`${world.gateway.url}/api/billing/${call}`, sent);
  const text = await response.text();
  return { status: response.status, code: response.headers.get('x-error-code'), text };
}
const previewOf = async (user: User, code?: string) =>
  JSON.parse((await send(user, 'preview', { priceId: 'api_basic', code })).text).previewId as string;

/** Redeems a use of a coupon for another subscription of an account. */
const redeem = ({ id: couponId }: { id: string }, accountId: string, subscriptionId = 'sub_former') =>
  world.ctx.db.transaction().execute(async (tx) => {
    const use = { id: randomUUID(), couponId, accountId, callId: randomUUID(), perAccount: 1 };
    await insertRedemption(tx, use);
    const redeemed = tx.updateTable('couponRedemptions').set({ redeemedAt: new Date(), subscriptionId });
    await redeemed.where('id', '=', use.id).execute();
  });

it('previews and makes a change with a code, which administrators see among its uses', async () => {
  const user = await world.subscribe();
  const coupon = await makeCoupon({ percent: 50 });
  const code = coupon.code.toLowerCase();
  const { data: quoted } = await user.client.previewChange({ body: { priceId: 'api_basic', code } });
  expect(quoted).toMatchObject({ kind: 'upgrade', today: { discount: 950 }, next: { amount: 1_900 } });
  const body = { priceId: 'api_basic', previewId: quoted.previewId, code };
  const { data: changed } = await user.client.changePlan({ body });
  expect(changed).toMatchObject({ clientSecret: null, billing: { tier: 'api_basic' } });
  const { client: admin } = await signUpAdmin(world.gateway);
  const { data: uses } = await admin.adminListRedemptions({ params: { id: coupon.id }, query: {} });
  const { accountId, subscriptionId } = user;
  expect(uses).toMatchObject([{ state: 'redeemed', accountId, subscriptionId, email: user.email }]);
});

describe('a preview returns the error of a code', () => {
  it.each([
    ['coupon_expired', 'This code has expired. Remove it or enter another code.', { expiresAt: new Date(0) }],
    ['coupon_used_up', 'This code has reached its usage limit. Remove it to continue.', { maxUses: 2, uses: 2 }],
    ['coupon_disabled', 'This code is no longer valid. Remove it or enter another code.', { disabledAt: new Date() }],
    [
      'coupon_wrong_plan',
      "This code isn't valid for this plan. Remove it, or choose another plan.",
      { tiers: ['api_pro' as const] },
    ],
  ])('%s', async (code, text, terms) => {
    const user = await world.subscribe();
    const coupon = await makeCoupon(terms);
    const body = { priceId: 'api_basic', code: coupon.code };
    expect(await send(user, 'preview', body)).toEqual({ status: 409, code, text });
  });

  it('coupon_used after the account has used it', async () => {
    const user = await world.subscribe();
    const coupon = await makeCoupon();
    await redeem(coupon, user.accountId);
    expect(await send(user, 'preview', { priceId: 'api_basic', code: coupon.code })).toEqual({
      ...{
        status: 409,
        code: 'coupon_used',
        text: 'You have already used this code. Remove it or enter another code.',
      },
    });
  });

  it('coupon_second if the subscription has one', async () => {
    const user = await world.subscribe();
    await redeem(await makeCoupon(), user.accountId, user.subscriptionId);
    const { code } = await makeCoupon();
    expect(await send(user, 'preview', { priceId: 'api_basic', code })).toEqual({
      ...{ status: 409, code: 'coupon_second' },
      text: 'Your subscription already uses a promo code. Only one can apply.',
    });
  });

  it('coupon_scheduled for a change at the end of the period', async () => {
    const user = await world.subscribe('api_basic');
    const { code } = await makeCoupon();
    expect(await send(user, 'preview', { priceId: 'pro', code })).toEqual({
      ...{ status: 409, code: 'coupon_scheduled' },
      text: "Codes don't apply to a change at the end of your billing period. Remove the code to continue.",
    });
  });

  it('coupon_not_found if there is none, and rate_limited after too many of them', async () => {
    const user = await world.subscribe();
    const body = { priceId: 'api_basic', code: 'NO-SUCH-CODE' };
    for (let count = 0; count < couponRules.accountGuesses; count += 1)
      expect(await send(user, 'preview', body)).toEqual({
        ...{ status: 404, code: 'coupon_not_found', text: "This code doesn't exist. Check its spelling." },
      });
    expect(await send(user, 'preview', body)).toMatchObject({ status: 429, code: 'rate_limited' });
    expect(await send(user, 'preview', { priceId: 'api_basic' })).toMatchObject({ status: 200 });
  });
});

describe('a change returns', () => {
  it('preview_changed if its code differs from that of its preview', async () => {
    const user = await world.subscribe();
    const { code } = await makeCoupon();
    const previewId = await previewOf(user, code);
    const text = 'The price has changed since you saw it. Check the new amount and confirm again.';
    for (const other of [undefined, 'OTHER-CODE'])
      expect(await send(user, 'change', { priceId: 'api_basic', previewId, code: other })).toEqual({
        ...{ status: 409, code: 'preview_changed', text },
      });
  });

  it.each(['change', 'resume'] as const)(
    'the error of a code that was disabled after the preview (%s)',
    async (call) => {
      const user = await world.subscribe();
      const coupon = await makeCoupon();
      const previewId = await previewOf(user, coupon.code);
      const { db } = world.ctx;
      await db.updateTable('coupons').set({ disabledAt: new Date() }).where('id', '=', coupon.id).execute();
      const body = call === 'change' ? { priceId: 'api_basic', previewId, code: coupon.code } : { previewId };
      expect(await send(user, call, body)).toMatchObject({ status: 409, code: 'coupon_disabled' });
      expect((await user.client.billing()).data).toMatchObject({ tier: 'pro' });
    },
  );

  it('422 for a code that is empty or not text', async () => {
    const user = await world.subscribe();
    for (const code of ['', ' ', 7])
      expect((await send(user, 'preview', { priceId: 'api_basic', code })).status).toBe(422);
  });
});
