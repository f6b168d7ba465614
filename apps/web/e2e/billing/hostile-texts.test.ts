import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { makeSyncedCoupon } from '@uprez/testing/billing/make-coupon';
import { makeAccessEvent } from '@uprez/testing/factories/make-access-event';
import { test } from '../support/fixtures.ts';
import { canary, hostileNames } from '../support/hostile-names.ts';
import { insertJob } from '../support/insert-job.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';
import { signUpBuyer, subscribe } from '../support/shop.ts';

const image = '<img src=x onerror=window.__xss=1>';
/** Payloads of several kinds, as one text. */
const mix = (from: number) => hostileNames.slice(from, from + 5).join(' ');
const texts = {
  description: `${image}${mix(0)}`.slice(0, 200),
  name: mix(5),
  number: mix(10),
  line: mix(15),
  failure: mix(20),
  error: mix(25),
  event: mix(30),
  volume: mix(35),
  message: mix(40),
};
const email = `"${image}"@example.test`;

/** Stores texts as Stripe, its users, and visitors may have written them. No dispatcher replaces them. */
async function storeTexts({ db, stripe }: Admin['world'], accountId: string) {
  const { code } = await makeSyncedCoupon({ db, payments: stripe.payments }, { description: texts.description });
  const customers = db.selectFrom('billingCustomers').select('stripeId').where('accountId', '=', accountId);
  const { stripeId: customerId } = await customers.executeTakeFirstOrThrow();
  const user = { email, firstName: texts.name, role: 'owner' as const, emailVerified: true };
  await db.updateTable('users').set(user).where('id', '=', accountId).execute();
  const failed = { failures: 1, error: texts.error, wanted: 9, notBefore: new Date(Date.now() + 3_600_000) };
  await db.updateTable('billingCustomers').set(failed).execute();
  await db.updateTable('invoices').set({ number: texts.number }).execute();
  await db.updateTable('invoiceLines').set({ description: texts.line, priceId: null }).execute();
  await db.updateTable('subscriptions').set({ cardBrand: image, cardLast4: image }).execute();
  const payment = {
    failureCode: 'card_declined',
    failureMessage: texts.failure,
    method: image,
    status: 'requires_payment_method',
  } as const;
  await db.updateTable('payments').set(payment).execute();
  const about = { objectType: image, objectId: image, customerId, paymentIntentId: null, createdAt: new Date() };
  const event = { id: 'evt_hostile', type: texts.event, ...about, source: 'webhook', state: 'pending' } as const;
  await db.insertInto('stripeEvents').values(event).execute();
  const lead = { email, name: texts.name, company: image, volume: texts.volume, message: texts.message };
  const unsent = { linkSentAt: null, linkInterval: null, linkSentBy: null };
  await db
    .insertInto('leads')
    .values({ id: randomUUID(), accountId, ...lead, ...unsent })
    .execute();
  return code;
}

/** Stores texts as users and their programs may have written them. Returns the ID of a job. */
async function storeTraces(db: Admin['world']['db'], accountId: string): Promise<string> {
  await insertJob(db, { accountId, filename: texts.line, errorCode: 'corrupt_image' });
  await db.updateTable('jobs').set({ errorDetail: texts.failure, failureCause: texts.error }).execute();
  const fields = { firstName: texts.number };
  const about = { action: 'user.suspend', subject: `user:${accountId}`, reason: texts.message } as const;
  const changed = { before: JSON.stringify(fields), after: JSON.stringify({ ...fields, lastName: image }) };
  await db
    .insertInto('audits')
    .values({ ...about, ...changed, actorId: accountId })
    .execute();
  await makeAccessEvent(db, 60, { userId: accountId, agent: texts.event, path: texts.volume, country: null });
  const evidence = JSON.stringify({ address: image, key: texts.name, agent: image });
  const anomaly = { rule: 'key_burst', subject: `key:${accountId}`, day: '2026-11-24', count: 9, evidence } as const;
  await db
    .insertInto('anomalies')
    .values({ ...anomaly, userId: accountId })
    .execute();
  const key = { kind: 'live', preview: image, scopes: ['process'], secretHash: Buffer.alloc(32, 1) } as const;
  await db
    .insertInto('apiKeys')
    .values({ id: randomUUID(), accountId, name: texts.name.slice(0, 100), ...key, scopes: ['process'] })
    .execute();
  return (await db.selectFrom('jobs').select('id').executeTakeFirstOrThrow()).id;
}

test.describe('A12: texts with scripts run nowhere', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  let code: string;
  let accountId: string;
  let jobId: string;
  const asked: string[] = [];

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const { world, product } = admin;
    const shop = { url: product.url, product, db: world.db, stripe: world.stripe, mailUrl: '' };
    const buyer = await signUpBuyer(shop, page.context());
    await subscribe(shop, buyer);
    accountId = buyer.id;
    code = await storeTexts(world, accountId);
    jobId = await storeTraces(world.db, accountId);
    page.on('request', (request) => new URL(request.url()).host === canary && asked.push(request.url()));
    page.on('dialog', (dialog) => {
      asked.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
  });
  test.afterAll(() => admin?.close());

  /** Opens a page, on which these texts are shown as they are. */
  const open = async (path: string, ...shown: string[]) => {
    await settlePage(page, admin.product.url + path);
    for (const text of shown)
      await expect.poll(() => page.locator('body').evaluate((body) => body.textContent), path).toContain(text);
    await expectQuiet(path);
  };
  const expectQuiet = async (path: string) => {
    expect(await page.evaluate(() => (window as { __xss?: unknown }).__xss), path).toBeUndefined();
    expect(asked, path).toEqual([]);
  };
  const unknown = encodeURIComponent(image);

  test('on the pages of billing', async () => {
    await open('/account/billing', texts.line);
    for (const path of [
      `/pricing?coupon=${code}`,
      `/pricing?coupon=${unknown}`,
      `/subscribe?plan=${unknown}`,
      `/dashboard?checkout=${unknown}`,
      `/account/billing?plan=${unknown}&coupon=${unknown}`,
    ])
      await open(path);
  });

  test('on the pages of the administration', async () => {
    await open('/admin/payments', texts.name, email);
    await open('/admin/payments/transactions', texts.failure, texts.number);
    await open(`/admin/payments/transactions?search=${unknown}`, email);
    await open('/admin/payments/coupons', texts.description);
    await open('/admin/payments/inbox', texts.event, texts.error);
    await open('/admin/payments/prices');
    await open('/admin/payments/leads', texts.name, texts.volume);
  });

  test('on the pages of users, jobs, and logs', async () => {
    await open('/admin', texts.name, email);
    await open('/admin/users', texts.name, email);
    const user = `/admin/users/${accountId}`;
    await open(user, texts.name);
    await open(`${user}?tab=jobs`, texts.line);
    await open(`${user}?tab=keys`, texts.name.slice(0, 100));
    for (const tab of ['ledger', 'devices', 'payments', 'audit']) await open(`${user}?tab=${tab}`);
    await open('/admin/jobs', texts.line);
    await open(`/admin/jobs/${jobId}`, texts.line);
    await open('/admin/audit', texts.message);
    await open('/admin/security/logs?search=canary.invalid', texts.volume);
    await open('/admin/security/api-keys');
    await open('/admin/security');
    await open('/admin/security/permissions');
    await open(`/admin?search=${unknown}&status=${unknown}`);
  });

  test('in the dialogs of the administration', async () => {
    const act = async (path: string, item: RegExp) => {
      await open(path);
      await page.getByRole('button', { name: `Actions for ${email}`, exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
      await expect(page.getByRole('dialog')).toContainText(email);
      await expectQuiet(path);
    };
    await act('/admin/payments/leads', /^Send checkout link$/);
    await expect(page.getByRole('dialog')).toContainText(texts.message);
    await expectQuiet('the message of a lead');
    await act('/admin/payments', /^Cancel( plan)?$/);
  });
});
