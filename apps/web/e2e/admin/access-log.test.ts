import { expect, type Page } from '@playwright/test';
import { makeAccessEvent } from '@uprez/testing/make-access-event';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';

const page = '/admin/security/logs';
const address = '203.0.113.9';
const anomaly = { rule: 'failures', day: new Date().toISOString().slice(0, 10), count: 20 } as const;

test.describe('access log', () => {
  let admin: Admin;
  let tab: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    tab = admin.page;
    const { db } = admin.world;
    const account = db.selectFrom('users').select('id').where('email', '=', admin.email);
    const { id: userId } = await account.executeTakeFirstOrThrow();
    const network = '203.0.113.0/24';
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0';
    for (let i = 0; i < 20; i += 1)
      await makeAccessEvent(db, 60 + i, { kind: 'sign_in_failed', status: 401, userId, address, network, agent });
    await makeAccessEvent(db, 90, { kind: 'rejected', status: 429, count: 12, address: '198.51.100.1', country: 'DE' });
    const evidence = JSON.stringify({ address });
    await db
      .insertInto('anomalies')
      .values([
        { ...anomaly, subject: `user:${userId}`, userId, evidence },
        { ...anomaly, subject: `address:${address}`, userId: null, evidence },
      ])
      .execute();
  });
  test.afterAll(() => admin?.close());

  const waitForRows = async (count: number) => expect.poll(() => tab.locator('tbody tr').count()).toBe(count);
  const failures = '20 failed attempts within 10 minutes';

  test('leads from the dashboard to unusual activity, and from there to its events', async () => {
    await tab.goto('/admin');
    await tab.getByRole('link', { name: '2 unusual events to review' }).click();
    await tab.getByText(`${failures} to sign in from the IP address ${address}.`, { exact: true }).waitFor();
    await tab.getByText(`${failures} to sign in to ${admin.email}.`, { exact: true }).waitFor();
    await tab.getByRole('link', { name: new RegExp(`Show events: .*${address}`) }).click();
    await waitForRows(20);
    await tab.getByRole('button', { name: `Remove filter: IP address: ${address}` }).waitFor();
    await checkScreens(tab, `${admin.product.url}${page}`, () => tab.getByText('Rejected').first().waitFor());
    await tab.getByRole('button', { name: new RegExp(`^Acknowledge: .*${address}`) }).click();
    await tab.getByRole('dialog', { name: 'Acknowledge unusual activity' }).waitFor();
    expect(await findViolations(tab)).toEqual([]);
  });
});
