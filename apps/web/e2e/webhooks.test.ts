import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { waitForToast } from './support/toasts.ts';

const email = `${randomUUID()}@example.test`;
const tab = '/dashboard?tab=api-keys';
/** A public IP address without an HTTPS server: a root name server. */
const url = 'https://198.97.190.53/hooks';

test.describe('webhooks and events', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: site.url })).newPage();
    const account = { email, password: 'six feet under', firstName: 'Grace' };
    await page.request.post(`${site.url}/api/register`, { data: account, headers: { origin: site.url } });
    await site.db
      .updateTable('users')
      .set({ tier: 'api_pro', emailVerified: true })
      .where('email', '=', email)
      .execute();
    const created = await page.request.post('/api/webhooks', { data: { url }, headers: { origin: site.url } });
    expect(created.status()).toBe(201);
    await page.goto(tab);
  });
  test.afterAll(() => page?.context().close());

  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = () => page.getByRole('list', { name: 'Webhooks' }).locator('> li', { hasText: url });
  const toast = (title: string) => waitForToast(page, title);
  test('sends a test event, and shows its request and why it failed', async () => {
    await button(`Actions for ${url}`).click();
    await page.getByRole('menuitem', { name: 'Send test event' }).click();
    await toast('Test event sent');
    await row().getByRole('button', { name: 'Deliveries' }).click();
    const delivery = page
      .getByRole('list', { name: `Deliveries to ${url}` })
      .getByRole('listitem')
      .first();
    await delivery.getByText('webhook.test').waitFor();
    await delivery.getByText(/^[1-9]\d* attempts?, next attempt /).waitFor({ timeout: 60_000 });
    await delivery.getByRole('button', { name: 'Request and responses' }).click();
    const body = JSON.parse((await delivery.locator('code').nth(1).textContent()) ?? '') as { type: string };
    expect(body.type).toBe('webhook.test');
    await delivery.getByText(/^Attempt 1, /).waitFor();
    await card('Webhooks').getByText('Failing', { exact: true }).or(row().getByText('Active')).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('shows the event in the feed as returned by the API', async () => {
    await card('Events').getByRole('button', { name: 'Refresh' }).click();
    const event = page.getByRole('list', { name: 'Events, newest first' }).getByRole('listitem').first();
    await event.getByText('webhook.test').first().waitFor();
    await event.getByRole('button', { name: 'Event data' }).click();
    const told = JSON.parse((await event.locator('code').nth(1).textContent()) ?? '') as { id: string };
    const stored = await site.db.selectFrom('events').select('id').execute();
    expect(stored.map(({ id }) => id)).toContain(told.id);
  });

  for (const width of [360, 1_280])
    test(`fits a screen of ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(tab);
      await card('Events').getByRole('list').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await findViolations(page)).toEqual([]);
      await button('Add endpoint').click();
      await page.getByRole('dialog', { name: 'New endpoint' }).waitFor();
      expect(await findViolations(page)).toEqual([]);
    });
});
