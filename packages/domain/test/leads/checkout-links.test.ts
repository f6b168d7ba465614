import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { mailSchema } from '@uprez/contracts/schemas/mails';
import { findUser } from '@uprez/db/queries/accounts/users';
import { upsertSettings } from '@uprez/db/queries/instance/instance';
import type { Administrator } from '@uprez/domain/admin/administrator';
import { inviteLead, sendCheckoutLink } from '@uprez/domain/admin/leads';
import { findWantedPrice } from '@uprez/domain/billing/changes/plan-change';
import { readBilling } from '@uprez/domain/billing/own/read-billing';
import type { Buyer } from '@uprez/domain/billing/purchases/start-purchase';
import { refreshBilling } from '@uprez/domain/billing/refresh-billing';
import { syncChangedCatalog } from '@uprez/domain/billing/sync-catalog';
import { renderMail } from '@uprez/mail/render-mail';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { beforeEach, describe, expect, it } from 'vitest';
import { openPurchases } from '../billing/purchase-fixtures.ts';

const world = fileFixture(openPurchases);
let admin: Administrator;
beforeEach(async () => {
  for (const table of ['leads', 'outbox'] as const) await world.db.deleteFrom(table).execute();
  const { accountId } = await makeUser(world.db);
  await world.db.updateTable('users').set({ role: 'owner' }).where('id', '=', accountId).execute();
  admin = { accountId, address: undefined, permission: 'payments.manage' };
});

const code = (expected: string) => expect.objectContaining({ code: expected });
const makeVerified = async (isVerified = true): Promise<Buyer> => {
  const buyer = await world.makeBuyer();
  await world.db.updateTable('users').set({ emailVerified: isVerified }).where('id', '=', buyer.id).execute();
  return buyer;
};
const makeLead = async (email: string) => {
  const id = crypto.randomUUID();
  const words = { name: 'Ada', company: 'Engine Ltd.', volume: '', message: 'More.' };
  await world.db
    .insertInto('leads')
    .values({ id, accountId: null, email, ...words })
    .execute();
  return id;
};
const invite = (email: string, interval: 'month' | 'year' = 'month') => inviteLead(world, { admin, email, interval });
const mails = async () =>
  (await world.db.selectFrom('outbox').selectAll().execute()).map(({ payload }) => mailSchema.parse(payload));
const isOffered = async ({ id }: Buyer) => (await readBilling(world, id)).isOffered;

describe('a checkout link', () => {
  it('lets the account with its email address buy Enterprise, and nobody else', async () => {
    const [buyer, other] = [await makeVerified(), await makeVerified()];
    const priceId = await world.findPrice('enterprise');
    for (const one of [buyer, other])
      for (const what of ['enterprise', priceId]) {
        await expect(world.form(one, what)).rejects.toEqual(code('price_not_found'));
        await expect(world.hosted(one, what)).rejects.toEqual(code('price_not_found'));
      }
    expect(await isOffered(buyer)).toBe(false);
    const lead = await makeLead(buyer.email.toUpperCase());
    await expect(world.form(buyer, 'enterprise')).rejects.toEqual(code('price_not_found'));
    expect(await sendCheckoutLink(world, { admin, id: lead, interval: 'month' })).toMatchObject({
      state: 'sent',
      link: { interval: 'month' },
    });
    expect([await isOffered(buyer), await isOffered(other)]).toEqual([true, false]);
    await expect(world.form(other, 'enterprise')).rejects.toEqual(code('price_not_found'));
    const bought = await world.form(buyer, 'enterprise');
    expect(bought.plan).toMatchObject({
      tier: 'enterprise',
      priceId,
      price: { amount: currentPlans.enterprise.price * 100 },
    });
    await world.payForm(bought.clientSecret);
    expect(await refreshBilling(world.ctx(), { accountId: buyer.id })).toMatchObject({ tier: 'enterprise' });
    await expect(invite(buyer.email)).rejects.toEqual(code('already_subscribed'));
  });

  it('lets a subscriber of another plan change to Enterprise', async () => {
    const buyer = await makeVerified();
    const priceId = await world.findPrice('enterprise');
    const current = { id: 'price_x', tier: 'pro', interval: 'month', amount: 700, currency: 'usd' } as const;
    const other = { planVersion: 1, pack: null, productId: 'uprez_pro', isActive: true, lookupKey: null, isOurs: true };
    const find = () => findWantedPrice(world, { accountId: buyer.id, priceId, current: { ...current, ...other } });
    await expect(find()).rejects.toEqual(code('price_not_found'));
    await invite(buyer.email);
    expect(await find()).toMatchObject({ tier: 'enterprise' });
  });

  it('is not needed by a subscriber of Enterprise for a change to its current price', async () => {
    const buyer = await makeVerified();
    await invite(buyer.email);
    const { clientSecret } = await world.form(buyer, 'enterprise');
    await world.payForm(clientSecret);
    await refreshBilling(world.ctx(), { accountId: buyer.id });
    // Another email address has no link.
    await world.db.deleteFrom('leads').execute();
    expect(await isOffered(buyer)).toBe(true);
    const former = {
      id: 'price_former',
      tier: 'enterprise',
      interval: 'month',
      amount: 9_900,
      currency: 'usd',
    } as const;
    const other = { planVersion: 0, pack: null, productId: 'p', isActive: false, lookupKey: null, isOurs: true };
    const wanted = { accountId: buyer.id, priceId: 'enterprise', current: { ...former, ...other } };
    expect(await findWantedPrice(world, wanted)).toMatchObject({ id: await world.findPrice('enterprise') });
    await world.db.updateTable('subscriptions').set({ status: 'canceled' }).execute();
    expect(await isOffered(buyer)).toBe(false);
  });

  it('means nothing to an account that has not confirmed the email address', async () => {
    const buyer = await makeVerified(false);
    await invite(buyer.email);
    expect(await isOffered(buyer)).toBe(false);
    await expect(world.form({ ...buyer, emailVerified: false }, 'enterprise')).rejects.toEqual(
      code('email_unverified'),
    );
    await expect(world.form(buyer, 'enterprise')).rejects.toEqual(code('price_not_found'));
    await world.db.updateTable('users').set({ emailVerified: true }).where('id', '=', buyer.id).execute();
    expect(await isOffered(buyer)).toBe(true);
  });

  it('is emailed with the price and a page that leads through the sign-in to the order', async () => {
    await invite('new@engine.example');
    const [mail] = await mails();
    const facts = { siteName: 'Uprez', supportEmail: 's@x.test', publicUrl: 'https://x.test', firstName: null };
    if (!mail) throw new Error('there is no email');
    expect(mail).toMatchObject({ mail: 'checkout_link', to: 'new@engine.example' });
    const { subject, text } = await renderMail(mail, facts);
    expect(subject).toBe('Subscribe to Uprez Enterprise');
    expect(text).toContain('$149 per month');
    const [link = ''] = /https:\/\/x\.test\/\S+/.exec(text) ?? [];
    const url = new URL(link);
    expect([url.pathname, url.searchParams.get('next')]).toEqual([
      '/auth',
      '/subscribe?plan=enterprise&interval=month',
    ]);
  });

  it('is sent once for a double click, and again after a minute', async () => {
    const results = await Promise.allSettled([invite('a@engine.example'), invite('A@engine.example')]);
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: code('rate_limited') });
    expect(await mails()).toHaveLength(1);
    const past = new Date(Date.now() - 61_000);
    await world.db.updateTable('leads').set({ linkSentAt: past }).execute();
    await invite('a@engine.example');
    expect(await mails()).toHaveLength(2);
    expect(await world.db.selectFrom('leads').select('id').execute()).toHaveLength(1);
  });

  it('is for a year only where a year is sold', async () => {
    const buyer = await makeVerified();
    await expect(invite(buyer.email, 'year')).rejects.toEqual(code('price_not_found'));
    const yearly = { pro: null, api_basic: null, api_pro: null, enterprise: 149_000 };
    await upsertSettings(world.db, 'billing', { yearly, packs: [] });
    await syncChangedCatalog(world);
    expect(await invite(buyer.email, 'year')).toMatchObject({ link: { interval: 'year' } });
    const { plan } = await world.form(buyer, { priceId: 'enterprise', interval: 'year' });
    expect(plan).toMatchObject({ tier: 'enterprise', interval: 'year', price: { amount: 149_000 } });
    await upsertSettings(world.db, 'billing', { yearly: { ...yearly, enterprise: null }, packs: [] });
    await syncChangedCatalog(world);
  });

  it('is audited with its lead, without the email address', async () => {
    const { id } = await invite('audited@engine.example');
    const audits = await world.db.selectFrom('audits').selectAll().where('subject', '=', `lead:${id}`).execute();
    expect(audits).toMatchObject([
      {
        actorId: admin.accountId,
        action: 'lead.send_link',
        before: { interval: null, sentAt: null },
        after: { interval: 'month' },
      },
    ]);
    expect(JSON.stringify(audits)).not.toContain('engine.example');
  });

  it('is not sent by somebody who is no longer an administrator, or for a missing lead', async () => {
    await expect(sendCheckoutLink(world, { admin, id: crypto.randomUUID(), interval: 'month' })).rejects.toEqual(
      code('lead_not_found'),
    );
    await expect(sendCheckoutLink(world, { admin, id: 'x', interval: 'month' })).rejects.toEqual(
      code('lead_not_found'),
    );
    await world.db.updateTable('users').set({ role: null }).where('id', '=', admin.accountId).execute();
    await expect(invite('b@engine.example')).rejects.toEqual(code('admin_only'));
    expect([await mails(), await world.db.selectFrom('leads').select('id').execute()]).toEqual([[], []]);
    expect((await findUser(world.db, admin.accountId))?.role).toBeNull();
  });
});
