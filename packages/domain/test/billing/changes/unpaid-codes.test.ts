import type { CouponRow } from '@uprez/db/queries/coupons/coupons';
import { listCouponErrors } from '@uprez/db/queries/coupons/redemptions';
import { openCall, runCall } from '@uprez/domain/billing/calls/run-call';
import { changePlan, undoChange, upgradeKind } from '@uprez/domain/billing/changes/change-plan';
import { loadOwnSubscription } from '@uprez/domain/billing/changes/load-own-subscription';
import { toPlanChange } from '@uprez/domain/billing/changes/plan-change';
import { findQuotedCoupon } from '@uprez/domain/billing/coupons/coupon-rules';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, describe, expect, it } from 'vitest';
import { code, killIn } from './open-change-world.ts';
import { openCodeWorld } from './open-code-world.ts';

const world = fileFixture(openCodeWorld);
afterEach(async () => {
  expect(await listCouponErrors(world.db)).toEqual([]);
});

const authenticate = async (subscriber: Subscriber, isPassed: boolean) => {
  const [intent] = (await world.latestInvoice(subscriber))?.paymentIntentIds ?? [];
  await world.control(`payment_intents/${intent}/authenticate`, { isPassed });
};
const expectUnchanged = async (subscriber: Subscriber, coupon: CouponRow) => {
  const { tier, subscription } = await world.sync(subscriber);
  expect({ tier, subscription }).toMatchObject({
    tier: 'pro',
    subscription: { plan: { tier: 'pro' }, pending: null },
  });
  expect(await world.readDiscounts(subscriber)).toEqual([]);
  expect(await world.readMoney(subscriber)).toEqual({ paid: 700, refunded: 0 });
  const { uses, states } = await world.usesOf(coupon);
  expect({ uses, states: new Set(states) }).toEqual({ uses: 0, states: new Set(['released']) });
};

describe('an upgrade that is not paid', () => {
  it('because the card is declined keeps the plan, no discount, and no use, which can be used again', async () => {
    const subscriber = await world.buy('pro');
    const coupon = await world.makeCoupon();
    await world.setCard(subscriber, 'pm_card_chargeCustomerFail');
    await expect(world.change(subscriber, { coupon })).rejects.toEqual(code('payment_declined'));
    await expectUnchanged(subscriber, coupon);
    await world.setCard(subscriber, 'pm_card_visa');
    expect(await world.change(subscriber, { coupon })).toMatchObject({ billing: { tier: 'api_basic' } });
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed', 'released'] });
  });

  it('because 3-D Secure is not passed within 23 hours releases its use, and keeps it until then', async () => {
    const subscriber = await world.buy('pro');
    const coupon = await world.makeCoupon();
    await world.setCard(subscriber, 'pm_card_authenticationRequired');
    expect((await world.change(subscriber, { coupon })).clientSecret).toMatch(/^pi_.+_secret_/);
    await world.advance(subscriber, { seconds: 22 * 3_600 });
    await world.sync(subscriber);
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['reserved'] });
    expect(await world.readDiscounts(subscriber)).toEqual([]);
    await world.advance(subscriber, { seconds: 2 * 3_600 });
    await expectUnchanged(subscriber, coupon);
  });

  it('because it is withdrawn releases its use', async () => {
    const subscriber = await world.buy('pro');
    const coupon = await world.makeCoupon();
    await world.setCard(subscriber, 'pm_card_authenticationRequired');
    await world.change(subscriber, { coupon });
    await undoChange(world.ctx, subscriber.accountId);
    await expectUnchanged(subscriber, coupon);
  });

  it('is redeemed when 3-D Secure is passed later, and not by another change meanwhile', async () => {
    const subscriber = await world.buy('pro');
    const coupon = await world.makeCoupon();
    await world.setCard(subscriber, 'pm_card_authenticationRequired');
    await world.change(subscriber, { coupon });
    await authenticate(subscriber, true);
    // The payment is not synced yet.
    const quoted = await world.preview(subscriber, { to: 'api_pro', coupon });
    const { accountId } = subscriber;
    const input = { accountId, priceId: 'api_pro', previewId: quoted.previewId, code: coupon.code };
    await expect(changePlan(world.ctx, input)).rejects.toEqual(code('coupon_second'));
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'api_basic' });
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed'] });
  });

  it('is replaced by another change, which gets its use', async () => {
    const subscriber = await world.buy('pro');
    const coupon = await world.makeCoupon();
    await world.setCard(subscriber, 'pm_card_authenticationRequired');
    await world.change(subscriber, { coupon });
    await world.change(subscriber, { to: 'api_pro', coupon });
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['released', 'reserved'] });
    await authenticate(subscriber, true);
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'api_pro' });
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed', 'released'] });
    expect(await world.latestInvoice(subscriber)).toMatchObject({ status: 'paid', discount: 1_225 });
  });
});

describe('a process that was killed in an upgrade with a code', () => {
  async function prepare(card = 'pm_card_visa') {
    const subscriber = await world.buy('pro');
    await world.setCard(subscriber, card);
    const { accountId } = subscriber;
    const made = await world.makeCoupon();
    const coupon = await findQuotedCoupon(world.ctx, { code: made.code, accountId, tier: 'api_basic' });
    const id = await world.findPrice('api_basic');
    const price = { id, tier: 'api_basic', interval: 'month', amount: 1_900 } as const;
    const quotedAt = new Date().toISOString();
    const request = toPlanChange(await loadOwnSubscription(world.ctx, accountId), { price, quotedAt, coupon });
    return { subscriber, coupon, opening: { accountId, request } };
  }
  type Opening = Awaited<ReturnType<typeof prepare>>['opening'];
  async function runUntil(name: string, opening: Opening) {
    const row = await openCall(world.ctx, upgradeKind, opening);
    if (row && name !== 'row') await runCall(world.ctx, killIn(upgradeKind, name), row).catch(() => {});
  }
  const steps = ['row', 'check', 'upgrade', 'outcome'];

  it.each(steps)('after its %s is charged and discounted once, and uses the code once', async (name) => {
    const { subscriber, coupon, opening } = await prepare();
    await runUntil(name, opening);
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['reserved'] });
    await world.finishAll();
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'api_basic', subscription: { pending: null } });
    const paid = (await world.readInvoices(subscriber)).filter(({ status }) => status === 'paid');
    expect(paid.map(({ discount }) => discount)).toEqual([475, 0]);
    expect(await world.usesOf(coupon)).toEqual({ uses: 1, states: ['redeemed'] });
  });

  it.each(steps)('after its %s keeps nothing when the card is declined', async (name) => {
    const { subscriber, coupon, opening } = await prepare('pm_card_chargeCustomerFail');
    await runUntil(name, opening);
    await world.finishAll();
    await expectUnchanged(subscriber, coupon);
  });

  it.each(['row', 'upgrade'])('after its %s keeps nothing when the call has expired with its change', async (name) => {
    const { subscriber, coupon, opening } = await prepare('pm_card_authenticationRequired');
    await runUntil(name, opening);
    await world.advance(subscriber, { seconds: 24 * 3_600 });
    await world.db
      .updateTable('billingCalls')
      .set({ expiresAt: new Date(0) })
      .where('accountId', '=', subscriber.accountId)
      .execute();
    await world.finishAll();
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'failed' }]);
    await expectUnchanged(subscriber, coupon);
  });

  it.each([15, 30])(
    'keeps nothing when Stripe is unreachable for %i minutes and the card is declined',
    async (minutes) => {
      const { subscriber, coupon, opening } = await prepare('pm_card_chargeCustomerFail');
      await runUntil('upgrade', opening);
      await world.advance(subscriber, { seconds: minutes * 60 });
      await world.db
        .updateTable('billingCalls')
        .set({ expiresAt: new Date(0) })
        .where('accountId', '=', subscriber.accountId)
        .execute();
      await world.finishAll();
      expect(await world.latestInvoice(subscriber)).toMatchObject({ status: 'void' });
      await expectUnchanged(subscriber, coupon);
    },
  );

  it('and that Stripe rejects keeps nothing', async () => {
    const { subscriber, coupon, opening } = await prepare();
    const addedCode = { promotionCodeId: 'promo_none', keptDiscountIds: [] };
    await runUntil('row', { ...opening, request: { ...opening.request, addedCode } });
    await world.finishAll();
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'failed' }]);
    await expectUnchanged(subscriber, coupon);
  });
});
