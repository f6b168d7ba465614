import { randomUUID } from 'node:crypto';
import type { BillingSettings } from '@uprez/contracts/schemas/admin/settings';
import { listOwnBills } from '@uprez/db/queries/accounts/own-data';
import { findTransaction } from '@uprez/db/queries/billing/admin/list-transactions';
import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { listPackErrors } from '@uprez/db/queries/billing/bought-packs';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { listAllowanceErrors } from '@uprez/db/queries/usage/ledger';
import { listReverseErrors } from '@uprez/db/queries/usage/paid-units';
import { cancelSuspendedWork } from '@uprez/domain/admin/change-user';
import { listPacks, listPlanCards } from '@uprez/domain/billing/list-plan-cards';
import { findInvoicePdf, listAllInvoices } from '@uprez/domain/billing/own/list-invoices';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import { createPackCheckout } from '@uprez/domain/billing/purchases/checkout';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { syncAccount } from '@uprez/domain/billing/sync/sync-customer';
import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { readQuota } from '@uprez/domain/usage/read-quota';
import { reserveUnits } from '@uprez/domain/usage/reserve-units';
import { listPayments } from '@uprez/payments/payment-intents';
import { createRefund } from '@uprez/payments/refunds';
import { fileFixture } from '@uprez/testing/fixtures';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPurchases } from '../billing/purchase-fixtures.ts';

const world = fileFixture(openPurchases);
const noYears = { pro: null, api_basic: null, api_pro: null, enterprise: null };
const save = (settings: Partial<BillingSettings>) =>
  upsertSettings(world.db, 'billing', { yearly: noYears, packs: [], ...settings });
const small = { key: 'small', units: 50, meter: 'shared', amount: 900 } as const;

beforeEach(async () => {
  await save({ packs: [small, { key: 'ai', units: 20, meter: 'ai', amount: 500 }] });
  await syncChangedCatalog(world);
});
afterEach(async () => {
  await world.recover();
  // Reservations have no jobs here.
  const errors = await listAllowanceErrors(world.db);
  expect(errors.filter(({ subject }) => subject.startsWith('allowance'))).toEqual([]);
  expect(await listPackErrors(world.db)).toEqual([]);
});

const buy = (buyer: Buyer, pack = 'small') =>
  createPackCheckout(world.ctx(), { buyer, pack, publicUrl: 'https://images.example' });
const read = ({ id }: Buyer) => syncAccount(world.ctx(), id);
const packsOf = ({ id }: Buyer) =>
  world.db
    .selectFrom('allowances')
    .select(['units', 'unitsLeft', 'meter', 'expiresAt', 'ref'])
    .where('accountId', '=', id)
    .where('source', '=', 'pack')
    .orderBy('createdAt')
    .execute();
const reasonsOf = async ({ id }: Buyer) => {
  const rows = await world.db
    .selectFrom('ledger')
    .selectAll()
    .where('accountId', '=', id)
    .where('ref', 'is not', null)
    .orderBy('id')
    .execute();
  return rows.map(({ kind, units, reason }) => `${kind} ${units}: ${reason}`);
};

describe('settings', () => {
  it('sell a plan by the year and packs once they are synchronized, and nothing changes when repeated', async () => {
    expect(await listPacks(world)).toEqual([
      { key: 'ai', units: 20, meter: 'ai', price: 5 },
      { key: 'small', units: 50, meter: 'shared', price: 9 },
    ]);
    await save({ yearly: { ...noYears, pro: 7_000 }, packs: [small] });
    expect(await syncChangedCatalog(world)).toBeGreaterThan(0);
    expect(await syncChangedCatalog(world)).toBe(0);
    const cards = await listPlanCards(world);
    expect(cards.find(({ key }) => key === 'pro')?.yearly).toEqual({ price: 70, priceId: expect.any(String) });
    expect(cards.find(({ key }) => key === 'api_pro')?.yearly).toBeNull();
    const buyer = await world.makeBuyer();
    const year = await world.form(buyer, { priceId: 'pro', interval: 'year' });
    expect(year.plan).toMatchObject({ interval: 'year', price: { amount: 7_000 } });
    await expect(world.form(buyer, { priceId: 'api_pro', interval: 'year' })).rejects.toMatchObject({
      code: 'price_not_found',
    });
    expect(await listPacks(world)).toMatchObject([{ key: 'small' }]);
    await save({});
    await syncChangedCatalog(world);
    expect(await listPacks(world)).toEqual([]);
    expect((await listPlanCards(world)).find(({ key }) => key === 'pro')?.yearly).toBeNull();
  });

  it('are synchronized again after Stripe failed', async () => {
    await save({ packs: [{ ...small, amount: 950 }] });
    world.stripe.double.failures.add({ when: 'after', kind: 'error', method: 'POST', path: '/v1/prices', times: 2 });
    await expect(syncChangedCatalog(world)).rejects.toThrow();
    await world.recover();
    await syncChangedCatalog(world);
    expect(await listPacks(world)).toEqual([{ key: 'small', units: 50, meter: 'shared', price: 9.5 }]);
  });
});

describe('the error of a used-up quota', () => {
  const useUp = async (meter: 'ai' | 'standard', units: number) => {
    const { id: accountId } = await world.makeBuyer();
    const jobs = Array.from({ length: units }, () => ({ id: randomUUID(), meter, reason: 'Reserved for one image' }));
    return await world.db
      .transaction()
      .execute((tx) => reserveUnits(tx, { accountId, jobs }))
      .catch((error: unknown) => error);
  };
  const withPacks = {
    code: 'quota_exceeded',
    message: expect.stringMatching(/Upgrade your plan or buy a pack for more\.$/),
    hint: expect.stringContaining('buy a pack at "meta.packs_url"'),
    meta: expect.objectContaining({ packsUrl: '/pricing#packs' }),
  };
  const without = {
    code: 'quota_exceeded',
    message: expect.stringMatching(/Upgrade your plan for more\.$/),
    hint: undefined,
    meta: expect.not.objectContaining({ packsUrl: expect.anything() }),
  };

  it('offers packs while one that adds to the quota is on sale', async () => {
    expect(await useUp('ai', 11)).toMatchObject(withPacks);
    expect(await useUp('standard', 101)).toMatchObject(withPacks);
    await save({ packs: [{ key: 'ai', units: 20, meter: 'ai', amount: 500 }] });
    await syncChangedCatalog(world);
    expect(await useUp('ai', 11)).toMatchObject(withPacks);
    expect(await useUp('standard', 101)).toMatchObject(without);
    await save({});
    await syncChangedCatalog(world);
    expect(await useUp('ai', 11)).toMatchObject(without);
  });
});

describe('buying a pack', () => {
  it('gives its units once, without an end, and ends the purchase', async () => {
    const buyer = await world.makeBuyer();
    const { url } = await buy(buyer);
    expect(await packsOf(buyer)).toEqual([]);
    await world.payHosted(url);
    await read(buyer);
    await Promise.all([read(buyer), read(buyer)]);
    await read(buyer);
    expect(await packsOf(buyer)).toMatchObject([{ units: 50, unitsLeft: 50, meter: 'shared', expiresAt: null }]);
    expect(await reasonsOf(buyer)).toEqual(['grant 50: Pack of 50 images, no expiration']);
    expect(await world.readCalls(buyer)).toMatchObject([{ kind: 'pack', state: 'done' }]);
    const { packs } = await readBilling(world, buyer.id);
    const session = (await world.listOf(buyer)).sessions[0];
    expect(packs).toMatchObject([{ units: 50, left: 50, meter: 'shared', checkout: session?.id }]);
    const { meters } = await readQuota(world, { actor: { accountId: buyer.id } });
    const shared = meters.find(({ meter }) => meter === 'shared');
    expect(shared).toMatchObject({ included: 0, granted: 50, used: 0, left: 50 });
  });

  it('is billed on one invoice of its owner, and counts once as revenue', async () => {
    const before = await readRevenue(world.db);
    const buyer = await world.makeBuyer();
    await world.payHosted((await buy(buyer)).url);
    await read(buyer);
    await read(buyer);
    const own = await listAllInvoices(world, buyer.id);
    const money = { subtotal: 900, discount: 0, tax: 0, total: 900, paid: 900, refunded: 0 };
    expect(own).toEqual([
      expect.objectContaining({
        status: 'paid',
        description: 'Pack of 50 images',
        number: expect.any(String),
        ...money,
      }),
    ]);
    const [pack] = await packsOf(buyer);
    const payment = await findTransaction(world.db, pack?.ref ?? '');
    expect(payment).toMatchObject({ invoiceId: own[0]?.id, invoiceNumber: own[0]?.number });
    expect(await listOwnBills(world.db, buyer.id)).toMatchObject([{ id: own[0]?.id, subscriptionId: null }]);
    expect(await findInvoicePdf(world, { accountId: buyer.id, id: own[0]?.id ?? '' })).toContain('http');
    const other = await world.makeBuyer();
    await expect(findInvoicePdf(world, { accountId: other.id, id: own[0]?.id ?? '' })).rejects.toMatchObject({
      code: 'invoice_not_found',
    });
    const after = await readRevenue(world.db);
    expect([after.total - before.total, after.month - before.month, after.mrr - before.mrr]).toEqual([900, 900, 0]);
    expect((await readBilling(world, buyer.id)).tier).toBe('free');
  });

  it('returns the same page to a double click, another one for another pack, and can be repeated when paid', async () => {
    const buyer = await world.makeBuyer();
    const [first, second] = await Promise.all([buy(buyer), buy(buyer)]);
    expect(first).toEqual(second);
    const other = await buy(buyer, 'ai');
    expect(other.url).not.toBe(first.url);
    await world.payHosted(other.url);
    // Not read yet: the purchase before is known to be paid only at Stripe.
    await world.payHosted((await buy(buyer, 'ai')).url);
    await read(buyer);
    expect(await packsOf(buyer)).toMatchObject([
      { units: 20, meter: 'ai' },
      { units: 20, meter: 'ai' },
    ]);
    expect((await world.atStripe(buyer)).sessions).toEqual(['complete', 'complete']);
  });

  it('is possible beside an open purchase of a plan', async () => {
    const buyer = await world.makeBuyer();
    const { clientSecret } = await world.form(buyer);
    await world.payHosted((await buy(buyer)).url);
    await read(buyer);
    expect(await packsOf(buyer)).toHaveLength(1);
    expect((await world.form(buyer)).clientSecret).toBe(clientSecret);
  });

  it('gives what was bought, although the pack changed before it was paid', async () => {
    const buyer = await world.makeBuyer();
    const { url } = await buy(buyer);
    await save({ packs: [{ ...small, units: 5_000 }] });
    await syncChangedCatalog(world);
    await world.payHosted(url);
    await read(buyer);
    expect(await packsOf(buyer)).toMatchObject([{ units: 50 }]);
  });

  it('is rejected with pack_not_found, and with email_unverified', async () => {
    const buyer = await world.makeBuyer();
    await expect(buy(buyer, 'large')).rejects.toMatchObject({ code: 'pack_not_found' });
    await expect(buy({ ...buyer, emailVerified: false })).rejects.toMatchObject({ code: 'email_unverified' });
  });

  it('ends when its account is suspended', async () => {
    const buyer = await world.makeBuyer();
    await buy(buyer);
    await world.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', buyer.id).execute();
    await cancelSuspendedWork(
      { db: world.db, publisher: { publish: async () => {}, addCost: async () => {} } },
      buyer.id,
    );
    await world.dispatch();
    expect(await world.atStripe(buyer)).toMatchObject({ sessions: [] });
    expect(await world.readCalls(buyer)).toMatchObject([{ kind: 'pack', state: 'failed' }]);
  });

  it('ends without units when it expires', async () => {
    const buyer = await world.makeBuyer();
    await buy(buyer);
    await world.db
      .updateTable('billingCalls')
      .set({ expiresAt: new Date(0), notBefore: new Date(0), leaseUntil: null })
      .where('accountId', '=', buyer.id)
      .execute();
    await world.dispatch();
    expect(await world.readCalls(buyer)).toMatchObject([{ state: 'failed', error: 'expired' }]);
    expect((await world.atStripe(buyer)).sessions).toEqual([]);
    expect(await packsOf(buyer)).toEqual([]);
  });
});

describe('the units of a pack', () => {
  async function bought() {
    const buyer = await world.makeBuyer();
    await world.payHosted((await buy(buyer)).url);
    await read(buyer);
    const [pack] = await packsOf(buyer);
    return { buyer, paymentId: pack?.ref ?? '' };
  }
  const use = ({ id: accountId }: Buyer, count: number) => {
    const jobs = Array.from({ length: count }, () => ({ id: randomUUID(), meter: 'ai' as const, reason: 'test' }));
    return world.db.transaction().execute((tx) => reserveUnits(tx, { accountId, jobs }));
  };
  const refund = (paymentIntentId: string, amount: number) =>
    createRefund(world.payments, {
      accountId: 'a',
      callId: randomUUID(),
      paymentIntentId,
      amount,
      idempotencyKey: randomUUID(),
    });

  it('are used after those of the plan', async () => {
    const { buyer } = await bought();
    await use(buyer, 10);
    expect(await packsOf(buyer)).toMatchObject([{ unitsLeft: 50 }]);
    await use(buyer, 3);
    expect(await packsOf(buyer)).toMatchObject([{ unitsLeft: 47 }]);
  });

  it('are taken back in proportion to a refund, at most the unused ones, once', async () => {
    const { buyer, paymentId } = await bought();
    await use(buyer, 40);
    await refund(paymentId, 450);
    await read(buyer);
    await read(buyer);
    expect((await readBilling(world, buyer.id)).packs).toMatchObject([{ units: 50, left: 0, reversed: 20 }]);
    expect(await listAllInvoices(world, buyer.id)).toMatchObject([{ paid: 900, refunded: 450 }]);
    expect(await listReverseErrors(world.db)).toEqual([]);
    expect(await reasonsOf(buyer)).toEqual([
      'grant 50: Pack of 50 images, no expiration',
      'reverse -20: Payment refunded ($4.50 of $9.00): 20 of 25 images removed, the rest was used',
    ]);
    const mails = world.db.selectFrom('outbox').select('payload').where('userId', '=', buyer.id);
    const refunded = (await mails.execute()).filter(({ payload }) => payload.mail === 'payment_refunded');
    expect(refunded).toMatchObject([
      { payload: { amount: 450, paid: 900, removed: [{ units: 20, meter: 'shared' }] } },
    ]);
  });

  it('are given and taken back when the payment was refunded before it was read', async () => {
    const buyer = await world.makeBuyer();
    await world.payHosted((await buy(buyer)).url);

    const { customers } = await world.listOf(buyer);
    const { items } = await listPayments(world.payments, { customerId: customers[0]?.id ?? '' });
    await refund(items[0]?.id ?? '', 900);
    await read(buyer);
    expect(await packsOf(buyer)).toMatchObject([{ units: 50, unitsLeft: 0 }]);
  });
});
