import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import { waitForMail } from '@uprez/testing/mail';
import { totpCode } from '@uprez/testing/totp-code';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';

const [email, newEmail] = [`${randomUUID()}@example.test`, `${randomUUID()}@example.test`];
const password = 'a longer battery staple';

test.describe('the security of an account', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  let other: Page;
  let secret: string;
  let codes: string[];
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1_440, height: 800 }, baseURL: site.url })).newPage();
    other = await (await browser.newContext({ viewport: { width: 390, height: 800 }, baseURL: site.url })).newPage();
    const body = { email, password, firstName: 'Grace' };
    expect((await page.request.post('/api/register', { data: body })).status()).toBe(201);
    await site.db.updateTable('users').set({ emailVerified: true }).where('email', '=', email).execute();
    await page.goto('/account');
  });
  test.afterAll(async () => {
    await page?.context().close();
    await other?.context().close();
  });

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const current = () => page.getByLabel('Current password');
  const violations = () => findViolations(page);
  const hasFocus = (name: string) => button(name).evaluate((element) => element === document.activeElement);
  /** Allows the current code to be used again. */
  const forgetStep = () => site.db.updateTable('users').set({ twoFactorStep: 0 }).execute();
  const signIn = async (at: Page, login: { email: string; password: string }) => {
    await at.goto('/auth');
    await at.getByLabel('Email').fill(login.email);
    await at.getByLabel('Password', { exact: true }).fill(login.password);
    await at.getByRole('button', { name: 'Sign In' }).click();
  };

  test('enables two-factor authentication with the displayed key, and shows recovery codes', async () => {
    await button('Turn on').click();
    await current().fill(password);
    await button('Continue').click();
    const qrCode = page.getByAltText('QR code for your authenticator app');
    await qrCode.waitFor();
    expect(await qrCode.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    secret = ((await part('Two-factor authentication').locator('code').textContent()) ?? '').replace(/\s/g, '');
    expect(await violations()).toEqual([]);
    const digits = page.getByLabel('6-digit code');
    await expect(digits).toHaveAttribute('autocomplete', 'one-time-code');
    await page.keyboard.type('123');
    await page.keyboard.press('Enter');
    await part('Two-factor authentication').getByText('Enter all 6 digits from your authenticator app.').waitFor();
    await digits.fill('');
    await page.keyboard.type(totpCode(secret, 9));
    await part('Two-factor authentication')
      .getByText(/This code is incorrect/)
      .waitFor();
    await expect(digits).toHaveAttribute('aria-invalid', 'true');
    // The rejected code is selected. Then a code with a space is pasted, as apps copy it.
    await page.keyboard.press('Backspace');
    await expect(digits).toHaveValue('');
    await digits.evaluate(
      (field, text) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', text);
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      },
      totpCode(secret).replace(/^.../, '$& '),
    );
    const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
    await dialog.waitFor();
    codes = await dialog.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(limits.recoveryCodes);
    expect(await violations()).toEqual([]);
  });

  test('keeps the recovery codes open until they are saved, and downloads them', async () => {
    const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await expect(button('Done')).toBeDisabled();
    const [file] = await Promise.all([page.waitForEvent('download'), button('Download codes').click()]);
    expect(file.suggestedFilename()).toBe('recovery-codes.txt');
    expect((await readFile(await file.path(), 'utf8')).trim().split('\n')).toEqual(codes);
    await dialog.getByLabel("I've saved these codes").check();
    await button('Done').click();
    await dialog.waitFor({ state: 'detached' });
    expect(await hasFocus('Turn off')).toBe(true);
    const kept = await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
    for (const word of [secret, ...codes]) expect(kept).not.toContain(word);
    await waitForMail(site.mailUrl, email, 'Two-factor authentication is on');
  });

  test('accepts an authenticator code and a recovery code', async () => {
    for (const code of [totpCode(secret), codes[0] ?? '']) {
      await forgetStep();
      await button('Sign Out').click();
      await page.getByRole('link', { name: 'Sign In' }).first().waitFor();
      await signIn(page, { email, password });
      await page.getByLabel('Authenticator code or recovery code').fill(code);
      await button('Sign In').click();
      await page.getByText('Welcome, Grace').waitFor();
    }
  });

  test('changes the email address when the new one is confirmed', async () => {
    await page.goto('/account');
    await button('Change email').click();
    await page.getByLabel('New email address').fill(newEmail);
    await current().fill(password);
    await page.getByLabel('Authenticator code or recovery code').fill(codes[1] ?? '');
    await button('Send link').click();
    await part('Email address').getByText(`Check your inbox at ${newEmail}.`).waitFor();
    expect(await violations()).toEqual([]);
    await other.goto(await site.linkOf(newEmail, 'Confirm your new email address'));
    await other.getByRole('button', { name: 'Confirm email address' }).click();
    await other.getByRole('heading', { name: 'Email address confirmed' }).waitFor();
    await page.reload();
    await part('Email address').getByText(newEmail, { exact: true }).waitFor();
    await part('Email address').getByText('Confirmed', { exact: true }).waitFor();
  });
});
