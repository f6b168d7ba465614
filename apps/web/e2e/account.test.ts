import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { waitForMail } from '@uprez/testing/mail';
import { totpCode } from '@uprez/testing/totp-code';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';

const email = `${randomUUID()}@example.test`;
const password = 'a longer battery staple';

test.describe('the account page', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 390, height: 800 }, baseURL: site.url })).newPage();
  });
  test.afterAll(() => page?.context().close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const violations = () => findViolations(page);

  test('opens after sign-up from its own URL, and from the menu', async () => {
    await page.goto(`${site.url}/account`);
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('First Name').fill('Grace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
    await button('Create Account').click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
    await page.goto(site.url);
    await button('Menu').click();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  });

  test('shows an error for a wrong password, and downloads an export of the data', async () => {
    await site.db.updateTable('users').set({ emailVerified: true }).where('email', '=', email).execute();
    await page.reload();
    await button('Export data').click();
    const field = page.getByLabel('Current password');
    await field.fill('not this one');
    await button('Export data').click();
    await page.getByText('Your current password is incorrect.', { exact: true }).first().waitFor();
    await expect(page.getByText('Your current password is incorrect.', { exact: true })).toHaveCount(1);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    expect(await violations()).toEqual([]);
    await field.fill(password);
    await button('Export data').click();
    await page.getByText('Data export requested', { exact: true }).first().waitFor();
    const link = page.getByRole('link', { name: /^Download export from / });
    await link.waitFor();
    await page.getByText(/^until /).waitFor();
    await waitForMail(site.mailUrl, email, 'ready to download');
    expect(await violations()).toEqual([]);
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toMatch(/^export-\d{4}-\d\d-\d\d\.zip$/);
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
  });

  test('schedules the deletion of the account with a recovery code, and cancels it', async () => {
    const call = async (path: string, data: object) =>
      (await page.request.post(site.url + path, { data })).json() as Promise<Record<string, unknown>>;
    const { secret } = await call('/api/2fa/setup', { password });
    const { recoveryCodes } = await call('/api/2fa/enable', { code: totpCode(String(secret)) });
    // The page was loaded before two-factor sign-in was enabled.
    await button('Delete account').click();
    expect(await button('Cancel').evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByLabel('Current password').fill(password);
    const typed = page.getByLabel(`Type ${email} to confirm`);
    await typed.fill('somebody@example.test');
    await button('Delete account').click();
    await page.getByText("This doesn't match your email address.", { exact: true }).first().waitFor();
    await typed.fill(email);
    expect(await violations()).toEqual([]);
    await button('Delete account').click();
    await page.getByLabel('Authenticator code or recovery code').fill(String((recoveryCodes as string[])[0]));
    await button('Delete account').click();
    await page.getByText(/^Your account will be deleted on /).waitFor();
    await page.getByText('Your account is set to be deleted', { exact: true }).first().waitFor();
    const keep = button('Keep account');
    await expect(keep).toBeInViewport();
    expect(await keep.evaluate((element) => element === document.activeElement)).toBe(true);
    await expect(button('Delete account')).toHaveCount(0);
    expect(await violations()).toEqual([]);
    await waitForMail(site.mailUrl, email, 'account will be deleted');
    for (const [path, heading] of [
      ['/pricing', 'Plans for one image or thousands'],
      ['/dashboard', 'Welcome, Grace'],
    ] as const) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByText(/^Your account will be deleted on /).waitFor();
    }
    expect(await violations()).toEqual([]);
    await page.goto('/account');
    await keep.click();
    await page.getByText("Your account won't be deleted", { exact: true }).first().waitFor();
    await keep.waitFor({ state: 'detached' });
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('content');
    const user = await site.db.selectFrom('users').select('deletesAt').where('email', '=', email).executeTakeFirst();
    expect(user).toEqual({ deletesAt: null });
    await button('Delete account').click();
    await page.getByLabel('Authenticator code or recovery code').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('redirects to the sign-in page and back when the session has ended', async () => {
    await page.getByRole('list', { name: 'Signed-in devices' }).waitFor();
    await site.db.deleteFrom('sessions').execute();
    // The page may ask for something by itself, and redirect before the click: `click` would then wait for the button.
    await button('Sign out everywhere').evaluateAll(([found]) => found instanceof HTMLElement && found.click());
    await page.waitForURL(/\/auth\?next=%2Faccount$/);
    await site.db
      .updateTable('users')
      .set({ twoFactorAt: null, twoFactorSecret: null })
      .where('email', '=', email)
      .execute();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await button('Sign In').click();
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();
  });

  test('signs out all devices, and redirects to the sign-in page afterward', async () => {
    await button('Sign out everywhere').click();
    await page.waitForURL(`${site.url}/`);
    await page.getByRole('link', { name: 'Sign In' }).first().waitFor();
    await page.goto(`${site.url}/account`);
    await page.waitForURL(/\/auth\?next=%2Faccount$/);
  });
});
