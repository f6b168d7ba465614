import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';
import { waitForToast } from './support/toasts.ts';

const tab = '/dashboard?tab=api-keys';
/** A public IP address without an HTTPS server: a root name server. */
const url = 'https://198.97.190.53/hooks';

test('a test event is sent to an endpoint, and the page shows its request, why it failed, and fits all screens', async ({
  site,
  browser,
}) => {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: site.url });
  const page = await context.newPage();
  const post = (path: string, data: object) => page.request.post(path, { data, headers: { origin: site.url } });
  const account = { email: `${randomUUID()}@example.test`, password: 'six feet under', firstName: 'Grace' };
  const { id } = (await (await post('/api/register', account)).json()) as { id: string };
  await site.db.updateTable('users').set({ tier: 'api_pro', emailVerified: true }).where('id', '=', id).execute();
  expect((await post('/api/webhooks', { url })).status()).toBe(201);
  await page.goto(tab);
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = page.getByRole('list', { name: 'Webhooks' }).locator('> li', { hasText: url });

  await button(`Actions for ${url}`).click();
  await page.getByRole('menuitem', { name: 'Send test event' }).click();
  await waitForToast(page, 'Test event sent');
  await row.getByRole('button', { name: 'Deliveries' }).click();
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
  await card('Webhooks').getByText('Failing', { exact: true }).or(row.getByText('Active')).first().waitFor();
  await card('Events').getByRole('button', { name: 'Refresh' }).click();
  await card('Events').getByRole('listitem').getByText('webhook.test').first().waitFor();
  expect(await findViolations(page)).toEqual([]);

  for (const width of [1_280, 360]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(tab);
    await card('Events').getByRole('list').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await findViolations(page)).toEqual([]);
    await button('Add endpoint').click();
    await page.getByRole('dialog', { name: 'New endpoint' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
  }
  await context.close();
});
