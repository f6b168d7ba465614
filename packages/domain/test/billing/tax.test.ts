import { findTransaction } from '@uprez/db/queries/billing/admin/list-transactions';
import { readRevenue } from '@uprez/db/queries/billing/admin/revenue';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import { changePlan } from '@uprez/domain/billing/changes/change-plan';
import { refundPlan } from '@uprez/domain/billing/changes/money-back';
import { previewChange } from '@uprez/domain/billing/changes/quote';
import { listAllInvoices } from '@uprez/domain/billing/own/list-invoices';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import { createPackCheckout } from '@uprez/domain/billing/purchases/checkout';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { syncAccount } from '@uprez/domain/billing/sync/sync-customer';
import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { openVault } from '@uprez/domain/vault';
import { getInvoicePdfUrl } from '@uprez/payments/invoices';
import { createRefund } from '@uprez/payments/refunds';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, expect, it } from 'vitest';
import { openPurchases } from './purchase-fixtures.ts';

const world = fileFixture(openPurchases);
const packs = [{ key: 'small', units: 50, meter: 'shared', amount: 900 }];
const setTax = (collectsTax: boolean) => upsertSettings(world.db, 'billing', { packs, collectsTax });
const california = { country: 'US', postalCode: '94080' };
const taxed = { priceId: 'pro', billingAddress: california };
const read = ({ id }: Buyer) => syncAccount(world.ctx(), id);
const billingOf = ({ id }: Buyer) => readBilling(world, id);
const invoicesOf = ({ id }: Buyer) => listAllInvoices(world, id);

beforeEach(async () => {
  await world.control('tax', { ratePercent: 10 });
  await setTax(true);
  await syncChangedCatalog(world);
});

/** Buys Pro in the form. Returns the payment. */
async function buyTaxed(): Promise<{ buyer: Buyer; paymentId: string }> {
  const buyer = await world.makeBuyer();
  const { clientSecret } = await world.form(buyer, taxed);
  await world.payForm(clientSecret);
  await read(buyer);
  return { buyer, paymentId: clientSecret.split('_secret_')[0] ?? '' };
}

it('is added to the bill of the form and to the next one, and is not counted as revenue', async () => {
  const before = await readRevenue(world.db);
  const buyer = await world.makeBuyer();
  const order = await world.form(buyer, taxed);
  expect(order).toMatchObject({ bill: { subtotal: 700, tax: 70, total: 770, due: 770 }, next: { amount: 770 } });
  await world.payForm(order.clientSecret);
  await read(buyer);
  const money = { subtotal: 700, discount: 0, tax: 70, total: 770, paid: 770 };
  expect(await invoicesOf(buyer)).toMatchObject([{ status: 'paid', ...money }]);
  expect((await billingOf(buyer)).nextBill).toMatchObject({ amount: 770 });
  const [call] = await world.readCalls(buyer);
  expect(call).toMatchObject({ state: 'done', request: { collectsTax: true } });
  expect(call?.request).not.toHaveProperty('billingAddress');
  const paymentId = order.clientSecret.split('_secret_')[0] ?? '';
  expect(await findTransaction(world.db, paymentId)).toMatchObject({ amount: 770, tax: 70 });
  const paid = await readRevenue(world.db);
  expect([paid.total - before.total, paid.month - before.month, paid.mrr - before.mrr]).toEqual([700, 700, 700]);
});

it('is refunded in proportion', async () => {
  const before = await readRevenue(world.db);
  const { buyer, paymentId } = await buyTaxed();
  const origin = { accountId: buyer.id, callId: buyer.id, idempotencyKey: paymentId };
  await createRefund(world.payments, { ...origin, paymentIntentId: paymentId, amount: 385 });
  await read(buyer);
  expect(await invoicesOf(buyer)).toMatchObject([{ paid: 770, refunded: 385 }]);
  const after = await readRevenue(world.db);
  expect([after.total - before.total, after.month - before.month]).toEqual([350, 350]);
});

it('needs an address that Stripe can locate, and another one replaces the open purchase', async () => {
  const buyer = await world.makeBuyer();
  const invalid = { code: 'billing_address_invalid' };
  await expect(world.form(buyer)).rejects.toMatchObject(invalid);
  const wrong = { ...taxed, billingAddress: { country: 'US', postalCode: 'W1A 1AA' } };
  await expect(world.form(buyer, wrong)).rejects.toMatchObject(invalid);
  expect((await world.atStripe(buyer)).subscriptions).toEqual([]);
  const first = await world.form(buyer, taxed);
  expect((await world.form(buyer, taxed)).clientSecret).toBe(first.clientSecret);
  const moved = await world.form(buyer, { ...taxed, billingAddress: { country: 'DE', postalCode: '' } });
  expect(moved.clientSecret).not.toBe(first.clientSecret);
  expect((await world.atStripe(buyer)).subscriptions).toEqual(['incomplete']);
});

it('is completed by the dispatcher when Stripe failed while it stored the address', async () => {
  const buyer = await world.makeBuyer();
  const nowhere = { ...taxed, billingAddress: { country: 'US', postalCode: '0' } };
  await expect(world.form(buyer, nowhere)).rejects.toMatchObject({ code: 'billing_address_invalid' });
  const path = `/v1/customers/${(await world.listOf(buyer)).customers[0]?.id}`;
  world.stripe.double.failures.add({ when: 'before', kind: 'hang', method: 'POST', path, times: 2 });
  await expect(world.form(buyer, taxed, world.impatient)).rejects.toMatchObject({ code: 'billing_unavailable' });
  expect((await world.readCalls(buyer)).at(-1)).toMatchObject({ state: 'open', step: 'email' });
  await world.dispatch();
  expect(await world.form(buyer, taxed)).toMatchObject({ bill: { tax: 70 } });
  expect((await world.atStripe(buyer)).subscriptions).toEqual(['incomplete']);
});

it("is added on Stripe's page, which asks for the address, also to packs", async () => {
  const buyer = await world.makeBuyer();
  await world.payHosted((await world.hosted(buyer)).url);
  const pack = { buyer, pack: 'small', publicUrl: 'https://images.example' };
  await world.payHosted((await createPackCheckout(world.ctx(), pack)).url);
  await read(buyer);
  const byDescription = (await invoicesOf(buyer)).toSorted((a, b) => a.description.localeCompare(b.description));
  expect(byDescription).toMatchObject([
    { description: 'Pack of 50 images', subtotal: 900, tax: 90, total: 990, paid: 990 },
    { description: 'Pro plan, monthly', subtotal: 700, tax: 70, total: 770, paid: 770 },
  ]);
});

it('is part of a change, its preview, and the bill after a downgrade', async () => {
  const { buyer } = await buyTaxed();
  const ctx = { ...world.ctx(), vault: openVault('secret of the test '.repeat(3)) };
  const upgrade = await previewChange(ctx, { accountId: buyer.id, priceId: 'api_basic' });
  const { subtotal = 0, tax, due } = upgrade.today ?? {};
  expect(tax).toBe(Math.round(subtotal / 10));
  expect([due, upgrade.next.amount]).toEqual([subtotal + Math.round(subtotal / 10), 2_090]);
  const input = { accountId: buyer.id, priceId: 'api_basic', previewId: upgrade.previewId };
  expect((await changePlan(ctx, input)).billing.nextBill).toMatchObject({ amount: 2_090 });
  const bills = await invoicesOf(buyer);
  expect(bills.find(({ description }) => description.startsWith('Change to'))).toMatchObject({ tax, total: due });
  const downgrade = await previewChange(ctx, { accountId: buyer.id, priceId: 'pro' });
  expect(downgrade.next.amount).toBe(770);
  const back = { accountId: buyer.id, priceId: 'pro', previewId: downgrade.previewId };
  expect((await changePlan(ctx, back)).billing.nextBill).toMatchObject({ reason: 'plan_change', amount: 770 });
});

it('is part of the next bill when a code or credit leaves nothing of the first one', async () => {
  const { code } = await makeSyncedCoupon(world, { percent: 100 });
  const buyer = await world.makeBuyer();
  const order = await world.form(buyer, { ...taxed, coupon: code });
  expect(order).toMatchObject({ bill: { tax: 0, total: 0 }, next: { amount: 770 } });
  const { buyer: subscriber } = await buyTaxed();
  const ctx = { ...world.ctx(), vault: openVault('secret of the test '.repeat(3)) };
  const typed = { code, ipAddress: '192.0.2.1' };
  const upgrade = await previewChange(ctx, { accountId: subscriber.id, priceId: 'api_basic', typed });
  expect(upgrade).toMatchObject({ today: { due: 0 }, next: { amount: expect.any(Number) } });
  const input = { accountId: subscriber.id, priceId: 'api_basic', previewId: upgrade.previewId, code };
  expect((await changePlan(ctx, input)).billing.nextBill).toMatchObject({ amount: upgrade.next.amount });
});

it('is refunded with a yearly plan, as the offer says', async () => {
  await upsertSettings(world.db, 'billing', { collectsTax: true, yearly: { pro: 7_000 } });
  await syncChangedCatalog(world);
  const yearly = world.db.selectFrom('prices').select('id').where('interval', '=', 'year').where('active', '=', true);
  const { id: priceId } = await yearly.executeTakeFirstOrThrow();
  const buyer = await world.makeBuyer();
  const { clientSecret } = await world.form(buyer, { ...taxed, priceId });
  await world.payForm(clientSecret);
  await read(buyer);
  expect(await billingOf(buyer)).toMatchObject({ moneyBackAmount: 7_700, moneyBackUntil: expect.any(String) });
  expect(await refundPlan(world.ctx(), { accountId: buyer.id })).toMatchObject({ tier: 'free', moneyBackAmount: null });
  expect(await invoicesOf(buyer)).toMatchObject([{ paid: 7_700, refunded: 7_700 }]);
});

it('is not added to subscriptions that began without it, nor taken from those that began with it', async () => {
  await setTax(false);
  const early = await world.makeBuyer();
  // Ignored while no tax is collected.
  const { clientSecret, bill } = await world.form(early, taxed);
  expect(bill.tax).toBe(0);
  await world.payForm(clientSecret);
  await setTax(true);
  await read(early);
  expect((await billingOf(early)).nextBill).toMatchObject({ amount: 700 });
  const { buyer: late } = await buyTaxed();
  await setTax(false);
  await read(late);
  expect((await billingOf(late)).nextBill).toMatchObject({ amount: 770 });
});

it('leaves the company, its address, and its tax number on the invoices, also where no tax is collected', async () => {
  await setTax(false);
  const buyer = await world.makeBuyer();
  const company = { company: 'Acme GmbH', street: 'Example Street 1', city: 'Berlin', taxId: 'DE123456789' };
  const order = await world.form(buyer, {
    priceId: 'pro',
    billingAddress: { country: 'DE', postalCode: '10115', ...company },
  });
  await world.payForm(order.clientSecret);
  await read(buyer);
  const [invoice] = await invoicesOf(buyer);
  const pdf = await (await fetch((await getInvoicePdfUrl(world.payments, invoice?.id ?? '')) ?? '')).text();
  for (const line of ['Bill to: Acme GmbH', 'Example Street 1', '10115 Berlin', 'DE', 'Tax ID: DE123456789'])
    expect(pdf).toContain(`(${line}) Tj`);
});

it("leaves the company and the tax number that were entered on Stripe's page on the invoice", async () => {
  await setTax(false);
  const buyer = await world.makeBuyer();
  const { url } = await world.hosted(buyer);
  expect(await (await fetch(url)).text()).toContain('Tax ID (optional)');
  const body = new URLSearchParams({ number: '4242424242424242', company: 'Acme Inc.', taxId: '12-3456789' });
  expect((await fetch(url, { method: 'POST', body, redirect: 'manual' })).status).toBe(303);
  await read(buyer);
  const [invoice] = await invoicesOf(buyer);
  const pdf = await (await fetch((await getInvoicePdfUrl(world.payments, invoice?.id ?? '')) ?? '')).text();
  for (const line of ['Bill to: Acme Inc.', '94080 San Francisco', 'Tax ID: 12-3456789'])
    expect(pdf).toContain(`(${line}) Tj`);
});
