import { expect, type Page } from '@playwright/test';
import { recordProbes } from '@uprez/testing/record-probes';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';
import { waitForToast } from '../support/toasts.ts';

test.describe('the status page', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const now = Date.now();
    // 40 minutes, of which the delivery was down for 8 and the API degraded for 4.
    for (let age = 40; age >= 0; age -= 1)
      await recordProbes(admin.world.db, new Date(now - age * 60_000), {
        payments: 'unconfigured',
        ...(age <= 30 && age > 22 && { delivery: 'down' }),
        ...(age < 4 && { api: 'degraded' }),
      });
  });
  test.afterAll(() => admin?.close());

  const url = (path: string) => admin.product.url + path;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const toast = (text: string) => waitForToast(page, text);
  const service = (name: string) =>
    page.getByRole('region', { name: 'Services' }).getByRole('listitem').filter({ hasText: name });

  test('shows what probes found: states, bars, and the incident that they opened, and no uptime of less than a day', async () => {
    await settlePage(page, url('/status'));
    await page.getByText('Degraded performance', { exact: true }).waitFor();
    await expect(service('Image Processing API')).toContainText('Degraded');
    await expect(service('Image Processing API')).toContainText('Uptime-');
    await expect(service('Payment Processing')).toContainText('Not configured');
    await expect(service('CDN & File Delivery')).toContainText('Uptime-');
    await page.getByRole('img', { name: /^CDN & File Delivery: outages on 1 of [12] observed days?$/ }).waitFor();
    const incidents = page.getByRole('region', { name: 'Past incidents' });
    await expect(incidents).toContainText('Outage: CDN & File Delivery');
    await expect(incidents).toContainText('Resolved');
    await page.getByText('Uptime is shown once 24 hours of checks are complete.').waitFor();
    await expect(page.getByText(/service level|\d% uptime/)).toHaveCount(0);
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Status' })).toBeVisible();
    await incidents.getByRole('link', { name: 'Outage: CDN & File Delivery' }).click();
    await expect(page.getByRole('region', { name: 'Updates' }).getByRole('listitem')).toHaveCount(2);
  });

  test('publishes an incident and its updates', async () => {
    await settlePage(page, url('/admin/status'));
    await button('New incident').click();
    await button('Publish incident').click();
    await page.getByText('Title is required').waitFor();
    await field('Title').fill('Slow uploads');
    await page.getByRole('checkbox', { name: 'File Upload Service' }).check();
    await field('Update').fill('Uploads take longer than usual.');
    await button('Publish incident').click();
    await toast('Incident published');
    await admin
      .row('Slow uploads')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Add update' }).click();
    await page.getByRole('combobox', { name: 'State' }).click();
    await page.getByRole('option', { name: 'Identified' }).click();
    await field('Update').fill('A disk is slow. We are replacing it.');
    await button('Publish update').click();
    await toast('Update published');
    await expect(admin.row('Slow uploads')).toContainText('Identified');
    await settlePage(page, url('/status'));
    const incidents = page.getByRole('region', { name: 'Active incidents' });
    await expect(incidents.getByRole('listitem').first()).toContainText('A disk is slow. We are replacing it.');
  });

  test('announces maintenance, and overrides the status of a service until its end', async () => {
    await settlePage(page, url('/admin/status'));
    await button('Schedule maintenance').click();
    await field('Title').fill('Database update');
    await page.getByRole('checkbox', { name: 'Image Processing API' }).check();
    await field('Update').fill('Jobs wait for a few minutes.');
    await button('Publish announcement').click();
    await toast('Maintenance scheduled');
    await expect(admin.row('Database update')).toContainText('Scheduled');
    // Every screen says so.
    await settlePage(page, url('/admin/audit'));
    await page.getByRole('link', { name: 'Database update' }).waitFor();
    await settlePage(page, url('/admin/status'));
    await admin
      .row('Web Application')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Override status' }).click();
    await page.getByRole('combobox', { name: 'Show as' }).click();
    await page.getByRole('option', { name: 'Outage' }).click();
    await button('Override status').click();
    await toast('Status overridden');
    await settlePage(page, url('/status'));
    await page.getByText('Service outage', { exact: true }).waitFor();
    await expect(page.getByRole('region', { name: 'Planned maintenance' })).toContainText('Database update');
    await settlePage(page, url('/admin/status'));
    await admin
      .row('Web Application')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'End override' }).click();
    await toast('Override ended');
  });

  test('cancels maintenance that is scheduled', async () => {
    await admin
      .row('Database update')
      .getByRole('button', { name: /^Actions/ })
      .click();
    await page.getByRole('menuitem', { name: 'Cancel maintenance' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel maintenance' }).click();
    await toast('Maintenance canceled');
    await expect(admin.row('Database update')).toContainText('Canceled');
    await settlePage(page, url('/status'));
    await expect(page.getByText('Database update')).toHaveCount(0);
  });

  test('lists probes by service and result', async () => {
    await settlePage(page, url('/admin/status/probes?service=delivery&state=down'));
    await expect(page.locator('tbody tr')).toHaveCount(8);
    await expect(page.locator('tbody tr').first()).toContainText('no response in time');
  });

  test('stays open to visitors during maintenance mode', async ({ browser }) => {
    const { db } = admin.world;
    await db
      .insertInto('settings')
      .values({ name: 'site', value: JSON.stringify({ maintenanceMode: true }) })
      .execute();
    await expect.poll(async () => (await fetch(url('/pricing'))).status).toBe(503);
    const context = await browser.newContext({ baseURL: admin.product.url });
    const visitor = await context.newPage();
    await visitor.goto('/status');
    await visitor.getByText('Degraded performance', { exact: true }).waitFor();
    await visitor.getByRole('region', { name: 'Active incidents' }).getByRole('link', { name: 'Slow uploads' }).click();
    await expect(visitor.getByRole('region', { name: 'Updates' }).getByRole('listitem')).toHaveCount(2);
    await visitor.reload();
    await visitor.getByRole('heading', { level: 1, name: 'Slow uploads' }).waitFor();
    await context.close();
    await db.deleteFrom('settings').where('name', '=', 'site').execute();
    await expect.poll(async () => (await fetch(url('/pricing'))).status).toBe(200);
  });

  test('fits all screens in both themes without violations', async () => {
    const heading = (name: string) => () => page.getByRole('heading', { level: 1, name }).waitFor();
    await checkScreens(page, url('/status'), heading('Status'));
    await checkScreens(page, url('/admin/status'), async () => {
      await heading('Status')();
      await admin.row('Slow uploads').waitFor();
    });
  });
});
