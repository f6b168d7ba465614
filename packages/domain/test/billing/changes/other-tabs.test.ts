import { changePlan, undoChange } from '@uprez/domain/billing/changes/change-plan';
import { payBill } from '@uprez/domain/billing/changes/pay-bill';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import type { Subscriber } from '@uprez/testing/billing/open-billing-world';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { code, openChangeWorld } from './open-change-world.ts';

const world = fileFixture(openChangeWorld);

/** Reads a preview. Returns what makes the change that it shows. */
async function quote({ accountId }: Subscriber, priceId: string) {
  const { previewId } = await previewChange(world.ctx, { accountId, priceId });
  return () => changePlan(world.ctx, { accountId, priceId, previewId });
}
const codeOf = ({ reason }: { reason: unknown }) => (reason as { code?: string }).code;
const failuresOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.filter((result) => result.status === 'rejected').map(codeOf);

describe('a preview that is used again', () => {
  it('after another upgrade is rejected, and charges nothing', async () => {
    const subscriber = await world.buy('pro');
    const change = await quote(subscriber, 'api_basic');
    await change();
    await (await quote(subscriber, 'api_pro'))();
    const money = await world.readMoney(subscriber);
    await expect(change()).rejects.toEqual(code('preview_changed'));
    expect(await world.sync(subscriber)).toMatchObject({
      tier: 'api_pro',
      subscription: { plan: { tier: 'api_pro' }, next: null },
    });
    expect(await world.readMoney(subscriber)).toEqual(money);
  });

  it('after its upgrade keeps the downgrade that was scheduled meanwhile', async () => {
    const subscriber = await world.buy('pro');
    const change = await quote(subscriber, 'api_basic');
    await change();
    await (await quote(subscriber, 'pro'))();
    const money = await world.readMoney(subscriber);
    const { clientSecret, billing } = await change();
    expect(clientSecret).toBeNull();
    expect(billing).toMatchObject({ tier: 'api_basic', subscription: { next: { plan: { tier: 'pro' } } } });
    expect(await world.readMoney(subscriber)).toEqual(money);
  });

  it('after its downgrade was undone schedules it again, and charges nothing', async () => {
    const subscriber = await world.buy('api_basic');
    const change = await quote(subscriber, 'pro');
    await change();
    await undoChange(world.ctx, subscriber.accountId);
    expect((await change()).billing).toMatchObject({
      tier: 'api_basic',
      subscription: { next: { plan: { tier: 'pro' } } },
    });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 1_900, refunded: 0 });
  });
});

describe('a change while another tab pays', () => {
  it('the unpaid bill is paid once, and nothing that was previewed before', async () => {
    const subscriber = await world.buy('pro');
    const change = await quote(subscriber, 'api_basic');
    await world.failRenewal(subscriber);
    await world.setCard(subscriber, 'pm_card_visa');
    const results = await Promise.allSettled([payBill(world.ctx, subscriber.accountId), change()]);
    expect(results[0]).toMatchObject({ status: 'fulfilled' });
    const [failure] = failuresOf(results);
    expect(['payment_due', 'billing_busy', 'preview_changed']).toContain(failure);
    expect(await world.sync(subscriber)).toMatchObject({ tier: 'pro', unpaid: null });
    expect(await world.readMoney(subscriber)).toEqual({ paid: 1_400, refunded: 0 });
    // A preview of the new period can be used.
    expect(await (await quote(subscriber, 'api_basic'))()).toMatchObject({ billing: { tier: 'api_basic' } });
  });

  it('one of two upgrades is paid when the first is confirmed as the second is made', async () => {
    const subscriber = await world.buy('pro');
    await world.setCard(subscriber, 'pm_card_authenticationRequired');
    const [first, second] = [await quote(subscriber, 'api_basic'), await quote(subscriber, 'api_pro')];
    const { clientSecret } = await first();
    const intent = clientSecret?.split('_secret_')[0];
    const confirm = world.control(`payment_intents/${intent}/authenticate`, { isPassed: true });
    await Promise.allSettled([confirm, second()]);
    const billing = await world.sync(subscriber);
    const [paid, ...others] = (await world.readInvoices(subscriber)).filter(
      ({ status, reason }) => status === 'paid' && reason === 'subscription_update',
    );
    // The second one waits for its own confirmation, if it withdrew the first.
    expect(others).toEqual([]);
    expect(billing.tier).toBe(paid ? 'api_basic' : 'pro');
    expect(await world.readMoney(subscriber)).toEqual({ paid: 700 + (paid?.paid ?? 0), refunded: 0 });
  });
});
