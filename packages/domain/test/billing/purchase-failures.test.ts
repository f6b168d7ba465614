import { cancelSuspendedWork } from '@uprez/domain/admin/change-user';
import { finishNextCall } from '@uprez/domain/billing/calls/finish-next-call';
import { openCall, runCall } from '@uprez/domain/billing/calls/run-call';
import { finishers } from '@uprez/domain/billing/finishers';
import { formPurchaseKind } from '@uprez/domain/billing/purchases/form-purchase-kind';
import { hostedPurchaseKind } from '@uprez/domain/billing/purchases/hosted-purchase-kind';
import type { PurchaseKind } from '@uprez/domain/billing/purchases/purchase-kind';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { deleteOrphanedCustomers } from '@uprez/domain/billing/update-customers';
import { fileFixture } from '@uprez/testing/fixtures';
import { openHoldingProxy } from '@uprez/testing/network/open-holding-proxy';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { openPurchases } from './purchase-fixtures.ts';

const world = fileFixture(openPurchases);
afterEach(() => world.recover());
const code = (expected: string) => expect.objectContaining({ code: expected });

const ways = {
  form: {
    kind: formPurchaseKind,
    path: '/v1/subscriptions',
    made: { customers: 1, subscriptions: ['incomplete'], sessions: [] },
  },
  hosted: {
    kind: hostedPurchaseKind,
    path: '/v1/checkout/sessions',
    made: { customers: 1, subscriptions: [], sessions: ['open'] },
  },
} as const;
const names = ['form', 'hosted'] as const;

const failures = [
  ['500 before the effect', { when: 'before', kind: 'error' }],
  ['500 after the effect', { when: 'after', kind: 'error' }],
  ['a closed connection before the effect', { when: 'before', kind: 'reset', times: 9 }],
  ['a closed connection after the effect', { when: 'after', kind: 'reset', times: 9 }],
  ['no reply before the effect', { when: 'before', kind: 'hang', times: 9 }],
  ['no reply after the effect', { when: 'after', kind: 'hang', times: 9 }],
  ['429', { when: 'before', kind: 'rate_limit', times: 9 }],
] as const;

describe.each([
  ['form', '/v1/customers'],
  ['form', '/v1/subscriptions'],
  ['hosted', '/v1/checkout/sessions'],
] as const)('M5: an error of Stripe while a purchase in %s begins, at POST %s', (way, path) => {
  const { made } = ways[way];
  const begin = async (failure: object) => {
    const buyer = await world.makeBuyer();
    await world.control('failures', { method: 'POST', path, ...failure });
    await world[way](buyer, 'pro', world.impatient).catch((error: unknown) =>
      expect(error).toEqual(code('billing_unavailable')),
    );
    await world.recover();
    return buyer;
  };

  it.each(failures)('%s: buying again makes one thing to pay', async (_case, failure) => {
    const buyer = await begin(failure);
    await world[way](buyer);
    expect(await world.atStripe(buyer)).toEqual(made);
    expect(await world.readCalls(buyer)).toHaveLength(1);
  });

  it.each(failures)('%s: the dispatcher completes the purchase', async (_case, failure) => {
    const buyer = await begin(failure);
    await world.dispatch();
    expect(await world.atStripe(buyer)).toEqual(made);
    expect(await world.readCalls(buyer)).toMatchObject([{ state: 'open', step: 'create', leaseUntil: null }]);
  });

  it.each(failures.filter(([, { when }]) => when === 'after'))(
    '%s: another price replaces it',
    async (_case, failure) => {
      const buyer = await begin(failure);
      expect(await world.form(buyer, 'api_basic')).toMatchObject({ plan: { tier: 'api_basic' } });
      expect(await world.atStripe(buyer)).toEqual(ways.form.made);
    },
  );
});

it('M5: returns billing_unavailable while Stripe is gone, and charges nothing', async () => {
  const buyer = await world.makeBuyer();
  await world.control('failures', { when: 'before', kind: 'reset', times: 1_000 });
  for (const way of names) await expect(world[way](buyer)).rejects.toEqual(code('billing_unavailable'));
  await world.dispatch();
  expect(await world.atStripe(buyer)).toMatchObject({ customers: 1 });
});

class Killed extends Error {}

/** Runs the steps of a purchase as a process that stops: after the row, after a request of a step, or after its commit. */
async function stopIn<Offer>(kind: PurchaseKind<Offer>, buyer: Buyer, at: 'row' | `${'sent' | 'stored'} ${string}`) {
  const request = {
    priceId: await world.findPrice('pro'),
    email: buyer.email,
    publicUrl: 'https://images.example',
    coupon: null,
    collectsTax: false,
    billingAddress: null,
  };
  const row = await openCall(world.ctx(), kind, { accountId: buyer.id, request });
  if (!row) throw new Error('another purchase is open');
  if (at === 'row') return;
  const [when, name] = at.split(' ');
  const steps = kind.steps.map((step, index) => {
    const isLast = step.name === name;
    const isAfter = kind.steps[index - 1]?.name === name;
    return {
      ...step,
      send: async (...args: Parameters<typeof step.send>) => {
        if (when === 'stored' && isAfter) throw new Killed();
        const ids = await step.send(...args);
        if (when === 'sent' && isLast) throw new Killed();
        return ids;
      },
    };
  });
  await runCall(world.ctx(), { ...kind, steps }, row).catch((error: unknown) => {
    if (!(error instanceof Killed)) throw error;
  });
  // A stopped process keeps its lease.
  const held = { leaseUntil: new Date(Date.now() + 60_000), notBefore: new Date(Date.now() + 60_000) };
  await world.db
    .updateTable('billingCalls')
    .set({ ...held, failures: 0, error: null })
    .where('id', '=', row.id)
    .execute();
}

const moments = ['row', 'sent customer', 'stored customer', 'stored email', 'sent create', 'stored create'] as const;

describe.each(names)('M5: a process that stops while a purchase in %s begins', (way) => {
  const { kind, made } = ways[way];
  const stop = (buyer: Buyer, at: (typeof moments)[number]) =>
    way === 'form' ? stopIn(formPurchaseKind, buyer, at) : stopIn(hostedPurchaseKind, buyer, at);

  it.each(moments)('after "%s": the dispatcher completes it, and buying again continues it', async (at) => {
    const buyer = await world.makeBuyer();
    await stop(buyer, at);
    expect(await finishNextCall(world.ctx(), finishers)).toBe(false);
    await world.dispatch();
    expect(await world.atStripe(buyer)).toEqual(made);
    await world[way](buyer);
    expect(await world.atStripe(buyer)).toEqual(made);
    expect(await world.readCalls(buyer)).toMatchObject([{ kind: kind.name, state: 'open', step: 'create' }]);
  });

  it.each(moments)('after "%s": nothing is left to pay when the purchase expires', async (at) => {
    const buyer = await world.makeBuyer();
    await stop(buyer, at);
    await world.expire(buyer);
    await world.dispatch();
    expect(await world.atStripe(buyer)).toMatchObject({ subscriptions: [], sessions: [] });
    expect(await world.readCalls(buyer)).toMatchObject([{ state: 'failed' }]);
  });
});

describe('a purchase that nobody paid', () => {
  it.each(names)('ends after 23 hours in %s', async (way) => {
    const buyer = await world.makeBuyer();
    await world[way](buyer);
    await world.dispatch();
    expect(await world.atStripe(buyer)).toEqual(ways[way].made);
    await world.expire(buyer);
    await world.dispatch();
    expect(await world.atStripe(buyer)).toMatchObject({ subscriptions: [], sessions: [] });
    const [call] = await world.readCalls(buyer);
    expect(call).toMatchObject({ state: 'failed', error: 'expired' });
    expect(call?.request).not.toHaveProperty('email');
  });

  it.each(names)('keeps the plan when it was paid in %s just before', async (way) => {
    const buyer = await world.makeBuyer();
    if (way === 'form') await world.payForm((await world.form(buyer)).clientSecret);
    else await world.payHosted((await world.hosted(buyer)).url);
    await world.expire(buyer);
    await world.dispatch();
    expect(await world.atStripe(buyer)).toMatchObject({ subscriptions: ['active'] });
    expect(await world.readCalls(buyer)).toMatchObject([{ state: 'done' }]);
    const users = world.db.selectFrom('users').select('tier').where('id', '=', buyer.id);
    expect(await users.execute()).toEqual([{ tier: 'pro' }]);
  });

  it.each(names)('ends when its account is suspended, in %s', async (way) => {
    const buyer = await world.makeBuyer();
    await world[way](buyer);
    await world.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', buyer.id).execute();
    const publisher = { publish: async () => {}, addCost: async () => {} };
    await cancelSuspendedWork({ db: world.db, publisher }, buyer.id);
    await world.dispatch();
    expect(await world.atStripe(buyer)).toMatchObject({ subscriptions: [], sessions: [] });
  });

  it('makes nothing more when its account is deleted meanwhile, and its customer is deleted, too', async () => {
    const proxy = await openHoldingProxy(world.stripe.double.url, '/v1/customers');
    const payments = world.openClient(proxy.url);
    onTestFinished(() => {
      payments.close();
      proxy.close();
    });
    const buyer = await world.makeBuyer();
    const buying = world.form(buyer, 'pro', payments);
    const refused = expect(buying).rejects.toEqual(code('user_not_found'));
    await proxy.held;
    await world.db.deleteFrom('users').where('id', '=', buyer.id).execute();
    proxy.release();
    await refused;
    expect(await world.atStripe(buyer)).toEqual({ customers: 1, subscriptions: [], sessions: [] });
    await deleteOrphanedCustomers(world);
    expect(await world.atStripe(buyer)).toMatchObject({ customers: 0 });
  });
});
