import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { textsOfCaches } from './support/texts-of-caches.ts';

const email = `${randomUUID()}@example.test`;
const tab = '/dashboard?tab=api-keys';
/** A public IP address without an HTTPS server: a root name server. */
const url = 'https://198.97.190.53/hooks';

test.describe('webhooks and events', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  let secret = '';
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: site.url })).newPage();
    const account = { email, password: 'six feet under', firstName: 'Grace' };
    await page.request.post(`${site.url}/api/register`, { data: account, headers: { origin: site.url } });
    await update('api_basic');
  });
  test.afterAll(() => page?.context().close());

  const update = (tier: 'free' | 'api_basic' | 'api_pro') =>
    site.db.updateTable('users').set({ tier, emailVerified: true }).where('email', '=', email).execute();
  const card = (name: string) => page.getByRole('region', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const row = () => page.getByRole('list', { name: 'Webhooks' }).locator('> li', { hasText: url });
  const act = async (action: string) => {
    await button(`Actions for ${url}`).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const toast = (title: string) => page.getByText(title, { exact: true }).first().waitFor();
  const takeSecret = async () => {
    const panel = page.getByRole('dialog', { name: 'Save your signing secret' });
    const shown = (await panel.locator('code').textContent()) ?? '';
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: "I've saved this secret" }).click();
    await panel.waitFor({ state: 'detached' });
    return shown;
  };

  test('shows users with sandbox webhooks the plan with live events, and an empty event list', async () => {
    await page.goto(tab);
    await card('Webhooks')
      .getByText(/Upgrade to API Pro for live events/)
      .waitFor();
    await expect(card('Webhooks').getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
    await button('Add endpoint').click();
    const sandbox = page.getByRole('checkbox', { name: /^Receive sandbox events only/ });
    expect([await sandbox.isChecked(), await sandbox.isDisabled()]).toEqual([true, true]);
    await page.keyboard.press('Escape');
    await card('Events').getByText('No events yet').waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('shows an error at the field for a URL that is not public, and a secret once for a public one', async () => {
    await update('api_pro');
    await page.goto(tab);
    await button('Add endpoint').click();
    const dialog = page.getByRole('dialog', { name: 'New endpoint' });
    const field = dialog.getByLabel('URL');
    const save = dialog.getByRole('button', { name: 'Save' });
    await expect(save).toBeDisabled();
    await field.fill('https://127.0.0.1/hooks');
    await save.click();
    await dialog.locator('[aria-invalid=true]').waitFor();
    await field.fill(url);
    await dialog.getByLabel(/^All current and future events/).uncheck();
    await dialog.getByLabel(/^job.expired/).uncheck();
    expect(await findViolations(page)).toEqual([]);
    await save.click();
    secret = await takeSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await row().getByText('Active', { exact: true }).waitFor();
    await expect(row()).not.toContainText('job.expired');
    const traces = [await page.content(), await textsOfCaches(page)].join('\n');
    expect(traces).not.toContain(secret);
  });

  test('sends a test event, and shows its request and why it failed', async () => {
    await act('Send test event');
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

  test('shows the endpoints of a former plan, which can only be deleted', async () => {
    await update('free');
    await page.reload();
    await card('Webhooks').getByText("Your endpoints don't receive events on your current plan.").waitFor();
    await row().waitFor();
    await expect(card('Webhooks').getByRole('switch')).toHaveCount(0);
    await expect(button('Add endpoint')).toHaveCount(0);
    await button(`Actions for ${url}`).click();
    await expect(page.getByRole('menuitem')).toHaveText(['Delete endpoint']);
    await page.keyboard.press('Escape');
    expect(await findViolations(page)).toEqual([]);
    await update('api_pro');
    await page.reload();
    await page.getByRole('switch', { name: `Active: ${url}` }).waitFor();
  });

  test('rotates the secret, and updates, disables, and deletes the endpoint', async () => {
    await act('Rotate secret');
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate secret' }).click();
    expect(await takeSecret()).not.toBe(secret);
    await row().getByText('Previous secret valid until').waitFor();
    await act('Edit endpoint');
    const dialog = page.getByRole('dialog', { name: 'Edit endpoint' });
    await dialog.getByLabel('Description').fill('The shop');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await row().getByText('The shop').waitFor();
    const toggle = page.getByRole('switch', { name: `Active: ${url}` });
    await Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PATCH'), toggle.click()]);
    await page.reload();
    await row().getByText('You disabled this endpoint.').waitFor();
    await expect(toggle).not.toBeChecked();
    await act('Delete endpoint');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete endpoint' }).click();
    await card('Webhooks').getByText('No endpoints yet').waitFor();
    expect(await site.db.selectFrom('webhookEndpoints').select('id').where('url', '=', url).execute()).toEqual([]);
  });

  for (const width of [360, 1_280])
    test(`fits a screen of ${width} pixels`, async () => {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(tab);
      await card('Events').getByRole('list').waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      expect(await findViolations(page)).toEqual([]);
    });
});
