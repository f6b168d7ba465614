import { openCall, runCall } from '@uprez/domain/billing/calls/run-call';
import { cancelPlan } from '@uprez/domain/billing/changes/cancel-plan';
import { changePlan, downgradeKind, upgradeKind } from '@uprez/domain/billing/changes/change-plan';
import { loadOwnSubscription } from '@uprez/domain/billing/changes/load-own-subscription';
import { refundPlan } from '@uprez/domain/billing/changes/money-back';
import { pausePlan } from '@uprez/domain/billing/changes/pause-plan';
import { payBill } from '@uprez/domain/billing/changes/pay-bill';
import { toPlanChange } from '@uprez/domain/billing/changes/plan-change';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { code, killIn, openChangeWorld } from './open-change-world.ts';

const world = fileFixture(openChangeWorld);

type Ctx = typeof world.ctx;
type Operation = {
  name: string;
  /** The request that fails. */
  path: (subscriber: Subscriber) => string;
  method?: 'POST' | 'DELETE';
  prepare: () => Promise<Subscriber>;
  run: (ctx: Ctx, subscriber: Subscriber) => Promise<unknown>;
  expected: { tier: string; money: { paid: number | 'more'; refunded: number }; subscription?: object | null };
};

async function change(ctx: Ctx, { accountId }: Subscriber, priceId: string) {
  const { previewId } = await previewChange(world.ctx, { accountId, priceId });
  return await changePlan(ctx, { accountId, priceId, previewId });
}
const ofSubscription = ({ subscriptionId }: Subscriber) => `/v1/subscriptions/${subscriptionId}`;

const operations: Operation[] = [
  {
    name: 'an upgrade',
    path: ofSubscription,
    prepare: () => world.buy('pro'),
    run: (ctx, subscriber) => change(ctx, subscriber, 'api_basic'),
    expected: { tier: 'api_basic', money: { paid: 'more', refunded: 0 }, subscription: { pending: null } },
  },
  {
    name: 'a downgrade',
    path: () => '/v1/subscription_schedules',
    prepare: () => world.buy('api_basic'),
    run: (ctx, subscriber) => change(ctx, subscriber, 'pro'),
    expected: {
      tier: 'api_basic',
      money: { paid: 1_900, refunded: 0 },
      subscription: { next: { plan: { tier: 'pro' } } },
    },
  },
  {
    name: 'a payment',
    path: () => '/v1/invoices',
    prepare: async () => {
      const subscriber = await world.buy('pro');
      await world.failRenewal(subscriber);
      await world.setCard(subscriber, 'pm_card_visa');
      return subscriber;
    },
    run: (ctx, { accountId }) => payBill(ctx, accountId),
    expected: { tier: 'pro', money: { paid: 1_400, refunded: 0 }, subscription: { badge: 'active' } },
  },
  {
    name: 'a refund',
    path: () => '/v1/refunds',
    prepare: () => world.buy({ priceId: world.yearlyPriceId }),
    run: (ctx, subscriber) => refundPlan(ctx, subscriber),
    expected: { tier: 'free', money: { paid: 7_000, refunded: 7_000 }, subscription: null },
  },
  {
    name: 'the end of a refunded plan',
    path: ofSubscription,
    method: 'DELETE',
    prepare: () => world.buy({ priceId: world.yearlyPriceId }),
    run: (ctx, subscriber) => refundPlan(ctx, subscriber),
    expected: { tier: 'free', money: { paid: 7_000, refunded: 7_000 }, subscription: null },
  },
  {
    name: 'the end of an unpaid plan',
    path: ofSubscription,
    method: 'DELETE',
    prepare: async () => {
      const subscriber = await world.buy('pro');
      await world.failRenewal(subscriber);
      return subscriber;
    },
    run: (ctx, { accountId }) => cancelPlan(ctx, { accountId }),
    expected: { tier: 'free', money: { paid: 700, refunded: 0 }, subscription: null },
  },
];

const failures = [
  { when: 'before', kind: 'error' },
  { when: 'after', kind: 'error' },
  { when: 'after', kind: 'reset' },
  { when: 'after', kind: 'hang' },
  { when: 'before', kind: 'rate_limit' },
] as const;

// All accounts pay with the same card.
beforeEach(() => world.db.deleteFrom('moneyBackCards').execute());

describe.each(operations)('$name', ({ path, method = 'POST', prepare, run, expected }) => {
  it.each(failures)('happens once after $kind $when the effect', async (failure) => {
    const subscriber = await prepare();
    const times = failure.kind === 'error' ? 1 : 9;
    await world.control('failures', { ...failure, times, method, path: path(subscriber) });
    await run(world.impatientCtx, subscriber).catch((error: unknown) =>
      expect(error).toEqual(code('billing_unavailable')),
    );
    await world.finishAll();
    const { tier, money, subscription } = expected;
    expect(await world.sync(subscriber)).toMatchObject({ tier, ...(subscription !== undefined && { subscription }) });
    const { paid, refunded } = await world.readMoney(subscriber);
    if (money.paid !== 'more') expect({ paid, refunded }).toEqual(money);
    const invoices = (await world.readInvoices(subscriber)).filter(({ status }) => status === 'paid');
    expect(invoices.reduce((sum, invoice) => sum + invoice.paid, 0)).toBe(paid);
    expect(invoices).toHaveLength(money.paid === 700 || money.paid === 1_900 || money.paid === 7_000 ? 1 : 2);
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'done' }]);
  });
});

describe('a process that was killed', () => {
  async function prepare(from: 'pro' | 'api_basic', to: 'pro' | 'api_basic') {
    const subscriber = await world.buy(from);
    const { accountId } = subscriber;
    const id = await world.findPrice(to);
    const price = { id, tier: to, interval: 'month', amount: to === 'pro' ? 700 : 1_900 } as const;
    const request = toPlanChange(await loadOwnSubscription(world.ctx, accountId), {
      price,
      quotedAt: new Date().toISOString(),
    });
    return { subscriber, opening: { accountId, request } };
  }
  it.each(['row', 'check', 'upgrade', 'outcome'])('in an upgrade after its %s is charged once', async (name) => {
    const { subscriber, opening } = await prepare('pro', 'api_basic');
    const row = await openCall(world.ctx, upgradeKind, opening);
    if (row && name !== 'row') await runCall(world.ctx, killIn(upgradeKind, name), row).catch(() => {});
    await world.finishAll();
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'api_basic', subscription: { pending: null } });
    expect((await world.readInvoices(subscriber)).filter(({ status }) => status === 'paid')).toHaveLength(2);
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'done' }]);
  });

  it.each(['row', 'schedule', 'next_price'])('in a downgrade after its %s is completed', async (name) => {
    const { subscriber, opening } = await prepare('api_basic', 'pro');
    const row = await openCall(world.ctx, downgradeKind, opening);
    if (row && name !== 'row') await runCall(world.ctx, killIn(downgradeKind, name), row).catch(() => {});
    await world.finishAll();
    expect((await world.sync(subscriber)).subscription?.next).toMatchObject({ plan: { tier: 'pro' } });
    expect(await world.readCalls(subscriber)).toMatchObject([{ state: 'done' }]);
  });

  it('in a declined upgrade for longer than its call lasts restores the downgrade', async () => {
    const subscriber = await world.buy('api_basic');
    const { accountId } = subscriber;
    await change(world.ctx, subscriber, 'pro');
    await world.setCard(subscriber, 'pm_card_chargeCustomerFail');
    const price = { id: await world.findPrice('api_pro'), tier: 'api_pro', interval: 'month', amount: 4_900 } as const;
    const request = toPlanChange(await loadOwnSubscription(world.ctx, accountId), {
      price,
      quotedAt: new Date().toISOString(),
    });
    const row = await openCall(world.ctx, upgradeKind, { accountId, request });
    if (row) await runCall(world.ctx, killIn(upgradeKind, 'upgrade'), row).catch(() => {});
    await world.db
      .updateTable('billingCalls')
      .set({ expiresAt: new Date(0) })
      .where('accountId', '=', accountId)
      .execute();
    await world.finishAll();
    const { tier, subscription } = await world.sync(subscriber);
    expect({ tier, subscription }).toMatchObject({
      tier: 'api_basic',
      subscription: { pending: null, next: { plan: { tier: 'pro' } } },
    });
  });

  it('leaves a change open that excludes others until it is completed', async () => {
    const { subscriber, opening } = await prepare('pro', 'api_basic');
    await openCall(world.ctx, upgradeKind, opening);
    const { accountId } = subscriber;
    await expect(pausePlan(world.ctx, { accountId, months: 1 })).rejects.toEqual(code('billing_busy'));
    await expect(cancelPlan(world.ctx, { accountId })).rejects.toEqual(code('billing_busy'));
    await world.finishAll();
    expect(await cancelPlan(world.ctx, { accountId })).toMatchObject({ tier: 'api_basic' });
  });
});
