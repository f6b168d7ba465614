import { randomUUID } from 'node:crypto';
import { expect, type Locator, type Page } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import { currentPlans, type Tier } from '@uprez/contracts/policy/plans';
import { makeImage } from '@uprez/testing/make-image';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { textsOfCaches } from './support/texts-of-caches.ts';

const email = `${randomUUID()}@example.test`;
const tab = '/dashboard?tab=api-keys';
const whole = /^upz_live_[0-9A-Za-z]{36}$/;

test.describe('the API Keys tab', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  /** The last key shown in the panel. */
  let secret = '';
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: site.url })).newPage();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const account = { email, password: 'six feet under', firstName: 'Grace' };
    await page.request.post(`${site.url}/api/register`, { data: account, headers: { origin: site.url } });
  });
  test.afterAll(() => page?.context().close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const nameField = () => page.getByLabel('Name', { exact: true });
  const panel = () => page.getByRole('dialog', { name: 'Save your API key' });
  const row = (text: string) => page.getByRole('list', { name: 'Your API keys' }).locator('> li', { hasText: text });
  const toggle = (name: string) => page.getByRole('switch', { name: `Active: ${name}` });
  const toast = (title: string) => page.getByText(title, { exact: true }).first().waitFor();
  const violations = () => findViolations(page);
  const update = (values: { tier?: Tier; emailVerified?: boolean }) =>
    site.db.updateTable('users').set(values).where('email', '=', email).execute();
  const statusOf = async (key: string) =>
    (await fetch(`${site.url}/v1/account`, { headers: { authorization: `Bearer ${key}` } })).status;
  const act = async (name: string, action: string) => {
    await row(name)
      .first()
      .getByRole('button', { name: `Actions for ${name}` })
      .click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  /** Clicks the switch and waits for the response. */
  const press = (name: string) =>
    Promise.all([page.waitForResponse((answer) => answer.url().endsWith('/toggle')), toggle(name).click()]);
  const hasFocus = (place: Locator) => place.evaluate((element) => element === document.activeElement);
  const shownSecret = async () => (await panel().locator('code').first().textContent()) ?? '';
  /** Returns everything that the page shows and the browser stores. */
  const traces = async () =>
    [
      page.url(),
      await page.content(),
      JSON.stringify(await page.context().storageState({ indexedDB: true })),
      await page.evaluate(() => JSON.stringify({ ...sessionStorage }) + JSON.stringify(history.state)),
      await textsOfCaches(page),
    ].join('\n');

  for (const tier of ['free', 'pro'] as const)
    test(`shows users on ${tier} the plans with API access and their prices`, async () => {
      await update({ tier });
      await page.goto(tab);
      const card = page.getByRole('region', { name: 'Get live API keys' });
      const list = card.getByRole('list', { name: 'Plans with API access' });
      await list.waitFor();
      const offers = await list.getByRole('listitem').allTextContents();
      const sold = Object.values(currentPlans).filter(({ api }) => api);
      expect(offers).toHaveLength(sold.length);
      for (const [index, { name, price }] of sold.entries())
        expect(offers[index]).toMatch(new RegExp(`${name}\\$${price} per month`));
      await expect(card.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
      await expect(button('New Key')).toHaveCount(0);
      expect(await violations()).toEqual([]);
    });

  test('disables New Key while the trimmed name is empty', async () => {
    await update({ tier: 'api_basic' });
    await page.goto(tab);
    await page.getByText('No API keys yet').waitFor();
    const reason = 'Enter a name to create a key.';
    await update({ emailVerified: true });
    await page.reload();
    await page.getByText(reason).waitFor();
    await expect(button('New Key')).toBeDisabled();
    await nameField().fill('   ');
    await expect(button('New Key')).toBeDisabled();
    await nameField().fill(' Shop ');
    await expect(button('New Key')).toBeEnabled();
    await expect(page.getByText(reason)).toHaveCount(0);
    const link = page.getByRole('region', { name: 'New API key' }).getByRole('link', { name: 'Documentation' });
    await expect(link).toHaveAttribute('href', '/documentation');
  });

  test('disables New Key for users with an unconfirmed email address, and resends the link', async () => {
    await update({ emailVerified: false });
    await page.reload();
    await nameField().fill(' Shop ');
    await page.getByText('Confirm your email address to create API keys', { exact: false }).first().waitFor();
    await expect(button('New Key')).toBeDisabled();
    expect(await violations()).toEqual([]);
    await button('Resend link').click();
    // The link of the sign-up is too recent, and stays valid.
    await page
      .getByText(/^We already sent a link to /)
      .first()
      .waitFor();
  });

  test('hides the request to confirm the email address after another tab confirms it', async () => {
    const other = await page.context().newPage();
    await other.goto(await site.linkOf(email, 'Confirm your email address'));
    await other.getByRole('button', { name: 'Confirm email address' }).click();
    await other.getByRole('heading', { name: 'Email address confirmed' }).waitFor();
    await other.close();
    await button('Resend link').waitFor({ state: 'detached' });
    await expect(page.getByText('Confirm your email address to create API keys', { exact: false })).toHaveCount(0);
    await page.goto('/dashboard');
    await page.getByRole('tab', { name: 'API Keys' }).click();
    await page.getByText('No API keys yet').waitFor();
    await expect(button('Resend link')).toHaveCount(0);
  });

  test('shows a validation error at its field and keeps the input', async () => {
    await nameField().fill('Shop');
    await button('More options').click();
    const addresses = page.getByLabel('Allowed IP addresses');
    await addresses.fill('127.0.0.1\nexample.com');
    await button('New Key').click();
    await toast('Failed to create API key');
    await page.waitForFunction(() => document.querySelector('textarea')?.getAttribute('aria-invalid') === 'true');
    expect(await addresses.evaluate((field) => field.parentElement?.textContent)).toContain(
      'Each entry must be an IP address or a CIDR range, such as 203.0.113.7',
    );
    await addresses.fill('');
    const origins = page.getByLabel('Allowed websites');
    await origins.fill('https://shop.example\nhttps://shop.example/path');
    await button('New Key').click();
    await expect(origins).toHaveAttribute('aria-invalid', 'true');
    expect(await origins.evaluate((field) => field.parentElement?.textContent)).toContain(
      'Each origin must be "https://" and a host name',
    );
    await origins.fill('https://shop.example');
    await expect(nameField()).toHaveValue('Shop');
    await page.getByRole('checkbox', { name: /^Process/ }).uncheck();
    await page.getByRole('checkbox', { name: /^Read/ }).uncheck();
    await page.getByText('Choose at least one scope.').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('checkbox', { name: /^Read/ }).check();
    await button('More options').click();
  });

  test('shows an error without a connection and keeps the name', async () => {
    await page.context().setOffline(true);
    await button('New Key').click();
    await toast('Failed to create API key');
    await expect(page.getByText('Failed to create API key', { exact: true })).toHaveCount(1);
    await page.context().setOffline(false);
    await expect(nameField()).toHaveValue('Shop');
  });

  test('shows a new key once in a panel that closes only with "I\'ve saved this key"', async () => {
    await button('New Key').click();
    await panel().waitFor();
    secret = await shownSecret();
    expect(secret).toMatch(whole);
    const notice = page.locator('li', { hasText: 'API key created successfully' });
    await notice.waitFor();
    await expect(notice).not.toContainText(secret);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 400);
    await expect(panel()).toHaveCount(1);
    const [question] = await Promise.all([
      page.waitForEvent('dialog'),
      page.evaluate(() => void setTimeout(() => location.assign('/'))),
    ]);
    expect(question.type()).toBe('beforeunload');
    await question.dismiss();
    await page.goBack();
    await panel().getByText("You won't be able to see this key again after you leave.").waitFor();
    expect(await violations()).toEqual([]);
    await panel().getByRole('button', { name: 'Stay on page' }).click();
    expect(new URL(page.url()).search).toBe('?tab=api-keys');
    expect(await shownSecret()).toBe(secret);
  });

  test('copies the key, resets the button after 2 s, and copies a request that works', async () => {
    await panel().getByRole('button', { name: 'Copy key' }).click();
    await panel().getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await panel().getByRole('button', { name: 'Copy key' }).waitFor();
    await panel().getByRole('button', { name: 'Copy request' }).click();
    const request = await page.evaluate(() => navigator.clipboard.readText());
    const [, url, header, value] = /^curl (\S+) \\\n {2}-H "(\S+): (Bearer \S+)"$/.exec(request) ?? [];
    const answer = await fetch(String(url), { headers: { [String(header)]: String(value) } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ key: { name: 'Shop', scopes: ['read'] } });
  });

  test('keeps no copy of the key in the page, storage, URL, or caches after it is saved', async () => {
    expect(await traces()).toContain(secret);
    await button("I've saved this key").click();
    await panel().waitFor({ state: 'detached' });
    await page.evaluate(() => navigator.clipboard.writeText(''));
    const left = await traces();
    // The caches contain the list with the preview of the key, so they were searched.
    expect(await textsOfCaches(page)).toContain(`${secret.slice(0, 13)}...${secret.slice(-4)}`);
    expect(left).not.toContain(secret);
    await expect.poll(() => hasFocus(nameField())).toBe(true);
    await page.reload();
    await row('Shop').waitFor();
    expect(await traces()).not.toContain(secret);
  });

  test('lists each key with its scopes, expiry, last use, and usage', async () => {
    const facts = await row('Shop').locator('dl').textContent();
    for (const fact of ['from 127.0.0.1', 'Requests1', 'ExpiresNever', 'ScopesRead']) expect(facts).toContain(fact);
    await row('Shop').getByRole('button', { name: 'Usage and sample request' }).click();
    await row('Shop').getByRole('radio', { name: 'Table' }).check();
    const usage = page.getByRole('table', { name: 'Usage for Shop' });
    const today = () => usage.getByRole('row').nth(1).getByRole('cell').allTextContents();
    expect(await today()).toEqual(['1', '0', '0']);
    // The list, the open chart, and the card of the account change together.
    const statsOf = () => page.waitForResponse('**/api/dashboard/stats');
    const image = await makeImage({ width: 8, height: 8, format: 'png', seed: 1 });
    const { id } = (await (await page.request.get(`${site.url}/api/api-keys`)).json())[0];
    await site.db
      .updateTable('apiKeys')
      .set({ scopes: ['read', 'process'] })
      .where('id', '=', id)
      .execute();
    const made = await fetch(`${site.url}/v1/process?engine=standard`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'image/png' },
      body: new Uint8Array(image),
    });
    expect(made.status).toBe(200);
    const requests = async () => /Requests(\d+)/.exec((await row('Shop').locator('dl').textContent()) ?? '')?.[1];
    await expect.poll(requests, { timeout: 15_000 }).toBe('2');
    await expect.poll(today, { timeout: 2_000 }).toEqual(['2', '0', '1']);
    await statsOf();
    await page.getByText('API calls', { exact: true }).locator('xpath=..').getByText('1', { exact: true }).waitFor();
    await site.db
      .updateTable('apiKeys')
      .set({ scopes: ['read'] })
      .where('id', '=', id)
      .execute();
    await expect(row('Shop').locator('pre')).toContainText(`Bearer ${secret.slice(0, 13)}...`);
    expect(await violations()).toEqual([]);
    await row('Shop').getByRole('button', { name: 'Usage and sample request' }).click();
    expect(await statusOf(secret)).toBe(200);
  });

  test('shows changes made elsewhere when the tab becomes visible again', async () => {
    const [key] = await (await page.request.get(`${site.url}/api/api-keys`)).json();
    const rename = (name: string) => site.db.updateTable('apiKeys').set({ name }).where('id', '=', key.id).execute();
    const refocus = () => page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
    await rename('Renamed elsewhere');
    await refocus();
    await row('Renamed elsewhere').waitFor();
    await rename('Shop');
    await refocus();
    await row('Shop').waitFor();
  });

  test('disables and enables a key with its switch', async () => {
    await press('Shop');
    await row('Shop').getByText('Inactive', { exact: true }).waitFor();
    expect(await statusOf(secret)).toBe(401);
    await press('Shop');
    expect(await statusOf(secret)).toBe(200);
  });

  test('moves the switch immediately, and back when the request fails', async () => {
    const sentence = 'The service is temporarily unavailable. Try again in a moment.';
    let refuse = () => {};
    const held = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    await page.route('**/api/api-keys/*/toggle', async (route) => {
      await held;
      const problem = { code: 'service_unavailable', status: 503, detail: sentence };
      const headers = { 'x-error-code': 'service_unavailable' };
      await route.fulfill({
        status: 503,
        headers,
        contentType: 'application/problem+json',
        body: JSON.stringify(problem),
      });
    });
    await toggle('Shop').click();
    await row('Shop').getByText('Inactive', { exact: true }).waitFor();
    await expect(toggle('Shop')).not.toBeChecked();
    refuse();
    await toast('Failed to update API key');
    await page.getByText(sentence).first().waitFor();
    await row('Shop').getByText('Active', { exact: true }).waitFor();
    await expect(toggle('Shop')).toBeChecked();
    await page.unrouteAll();
    expect(await statusOf(secret)).toBe(200);
  });

  test('renames and limits a key', async () => {
    await act('Shop', 'Edit key');
    const dialog = page.getByRole('dialog', { name: 'Edit "Shop"' });
    await dialog.getByLabel('Name').fill('Kiosk');
    await dialog.getByLabel('Monthly limit (images)').fill('50');
    await dialog.getByLabel('Expires').click();
    await page.getByRole('option', { name: 'In 30 days' }).click();
    expect(await violations()).toEqual([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await toast('API key updated successfully');
    await expect.poll(() => hasFocus(row('Kiosk').getByRole('button', { name: 'Actions for Kiosk' }))).toBe(true);
    const meter = row('Kiosk').getByRole('meter', { name: 'Images this month' });
    await expect(meter).toHaveAttribute('aria-valuetext', '1 of 50');
    await expect(row('Kiosk').locator('dl')).not.toContainText('ExpiresNever');
  });

  test('keeps a rotated key valid during the overlap, next to the new one', async () => {
    const former = secret;
    await act('Kiosk', 'Rotate key');
    await page.getByRole('dialog', { name: 'Rotate "Kiosk"' }).getByRole('button', { name: 'Rotate key' }).click();
    await panel()
      .getByText(/^The previous key .+ works until /)
      .waitFor();
    secret = await shownSecret();
    expect(secret).not.toBe(former);
    expect([await statusOf(former), await statusOf(secret)]).toEqual([200, 200]);
    // When copying fails, the page shows an error and selects the key.
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
      document.execCommand = () => false;
    });
    await panel().getByRole('button', { name: 'Copy key' }).click();
    await toast('Failed to copy');
    expect(await page.evaluate(() => String(getSelection()))).toBe(secret);
    await button("I've saved this key").click();
    await row('Kiosk').getByText('Rotated', { exact: true }).waitFor();
    await expect(row('Kiosk')).toHaveCount(2);
    expect(await traces()).not.toContain(secret);
    await page.reload();
  });

  test('marks keys that were not used for 60 days or have expired', async () => {
    const before = new Date(Date.now() - limits.apiKeyUnusedDays * 86_400_000);
    await site.db.updateTable('apiKeys').set({ lastUsedAt: before }).where('replacedBy', 'is', null).execute();
    await site.db.updateTable('apiKeys').set({ expiresAt: before }).where('replacedBy', 'is not', null).execute();
    await page.reload();
    await row('Kiosk').first().getByText('Not used for 60 days.').waitFor();
    await row('Kiosk').last().getByText('Expired', { exact: true }).first().waitFor();
    await expect(toggle('Kiosk').last()).toBeDisabled();
  });

  test('deletes a key after its name is typed', async () => {
    await act('Kiosk', 'Delete key');
    const confirm = button('Delete key');
    expect(await hasFocus(button('Cancel'))).toBe(true);
    await page.getByLabel('Type Kiosk to confirm').fill('Kios');
    await expect(confirm).toBeDisabled();
    expect(await statusOf(secret)).toBe(200);
    await page.getByLabel('Type Kiosk to confirm').fill('Kiosk');
    await confirm.click();
    await page.getByRole('alertdialog').waitFor({ state: 'detached' });
    await expect(row('Kiosk')).toHaveCount(1);
    expect(await statusOf(secret)).toBe(401);
  });

  test('allows existing keys to be deleted on a plan without API access', async () => {
    await update({ tier: 'free' });
    await page.reload();
    await page.getByText("Your live keys don't work on your current plan.").waitFor();
    await act('Kiosk', 'Delete key');
    await page.getByLabel('Type Kiosk to confirm').fill('Kiosk');
    await button('Delete key').click();
    await row('Kiosk').waitFor({ state: 'detached' });
  });

  test('creates the sandbox key of a plan without API access once, which works', async () => {
    await button('Create sandbox key').click();
    await panel().waitFor();
    secret = await shownSecret();
    expect(secret).toMatch(/^upz_test_[0-9A-Za-z]{36}$/);
    await button("I've saved this key").click();
    // Its name and its type.
    await expect(row('Sandbox').getByText('Sandbox', { exact: true })).toHaveCount(2);
    await expect(button('Create sandbox key')).toHaveCount(0);
    expect(await violations()).toEqual([]);
    const answer = await fetch(`${site.url}/v1/account`, { headers: { authorization: `Bearer ${secret}` } });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ plan: { key: 'free' }, key: { kind: 'test' } });
  });
});
