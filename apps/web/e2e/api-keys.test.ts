import { randomUUID } from 'node:crypto';
import { expect, type Locator } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';
import { textsOfCaches } from './support/texts-of-caches.ts';
import { waitForToast } from './support/toasts.ts';

const tab = '/dashboard?tab=api-keys';
const whole = /^upz_live_[0-9A-Za-z]{36}$/;

test('an API key is shown once, copied, used, and listed with its usage', async ({ site, browser }) => {
  const email = `${randomUUID()}@example.test`;
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: site.url });
  const page = await context.newPage();
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const account = { email, password: 'six feet under', firstName: 'Grace' };
  await page.request.post(`${site.url}/api/register`, { data: account, headers: { origin: site.url } });
  await site.db.updateTable('users').set({ tier: 'api_basic' }).where('email', '=', email).execute();
  /** The last key shown in the panel. */
  let secret = '';
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const nameField = () => page.getByLabel('Name', { exact: true });
  const panel = () => page.getByRole('dialog', { name: 'Save your API key' });
  const row = (text: string) => page.getByRole('list', { name: 'Your API keys' }).locator('> li', { hasText: text });
  const toast = (title: string) => waitForToast(page, title);
  const violations = () => findViolations(page);
  const hasFocus = (place: Locator) => place.evaluate((element) => element === document.activeElement);
  const shownSecret = async () => (await panel().locator('code').first().textContent()) ?? '';
  /** Returns everything that the page shows and the browser stores. */
  const traces = async () =>
    [
      page.url(),
      await page.content(),
      JSON.stringify(await context.storageState({ indexedDB: true })),
      await page.evaluate(() => JSON.stringify({ ...sessionStorage }) + JSON.stringify(history.state)),
      await textsOfCaches(page),
    ].join('\n');

  await test.step('hides the request to confirm the email address after another tab confirms it', async () => {
    await page.goto(tab);
    await button('Resend link').waitFor();
    await expect(button('New Key')).toBeDisabled();
    expect(await violations()).toEqual([]);
    const other = await context.newPage();
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

  await test.step('asks for at least one scope', async () => {
    await nameField().fill('Shop');
    await button('More options').click();
    await page.getByRole('checkbox', { name: /^Process/ }).uncheck();
    await page.getByRole('checkbox', { name: /^Read/ }).uncheck();
    await page.getByText('Choose at least one scope.').waitFor();
    expect(await violations()).toEqual([]);
    await page.getByRole('checkbox', { name: /^Read/ }).check();
  });

  await test.step('shows a new key once in a panel that closes only with "I\'ve saved this key"', async () => {
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

  await test.step('copies the key, resets the button after 2 s, and copies a request that works', async () => {
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
    // When copying fails, the page shows an error and selects the key.
    await page.evaluate(() => {
      navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));
      document.execCommand = () => false;
    });
    await panel().getByRole('button', { name: 'Copy key' }).click();
    await toast('Failed to copy');
    expect(await page.evaluate(() => String(getSelection()))).toBe(secret);
    await page.evaluate(() => {
      Reflect.deleteProperty(navigator.clipboard, 'writeText');
      Reflect.deleteProperty(document, 'execCommand');
    });
  });

  await test.step('keeps no copy of the key in the page, storage, URL, or caches after it is saved', async () => {
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

  await test.step('lists each key with its scopes, expiry, last use, and usage', async () => {
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
    await expect.poll(requests).toBe('2');
    await expect.poll(today).toEqual(['2', '0', '1']);
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
  });
  await context.close();
});
