import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import { answers } from '@uprez/contracts/texts/answers';
import { waitForMail } from '@uprez/testing/mail';
import { totpCode } from '@uprez/testing/totp-code';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';

const [email, newEmail] = [`${randomUUID()}@example.test`, `${randomUUID()}@example.test`];
const [password, newPassword] = ['a longer battery staple', 'a yet longer battery staple'];

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

  test('requires a confirmed email address for two-factor authentication', async () => {
    await page.goto('/account#two-factor');
    const heading = part('Two-factor authentication').getByRole('heading');
    await heading.waitFor();
    expect(await heading.evaluate((element) => element === document.activeElement)).toBe(true);
    await part('Two-factor authentication')
      .getByText(/^Confirm your email address to turn on/)
      .waitFor();
    await expect(button('Turn on')).toHaveCount(0);
    await part('Two-factor authentication').getByRole('button', { name: 'Resend link' }).waitFor();
    await page.goto(await site.linkOf(email, 'Confirm your email address'));
    await button('Confirm email address').click();
    await page.getByRole('heading', { name: 'Email address confirmed' }).waitFor();
  });

  test('changes the password, shows validation errors, and signs out other browsers', async () => {
    await signIn(other, { email, password });
    await other.getByText('Welcome, Grace').waitFor();
    await page.goto('/account');
    await button('Change password').click();
    const fill = async (first: string, second: string, old: string) => {
      await page.getByLabel('New Password').fill(first);
      await page.getByLabel('Confirm Password').fill(second);
      await current().fill(old);
      await button('Change password').click();
    };
    await fill('short', 'short', password);
    await part('Password')
      .getByText(/^Password must be at least/)
      .waitFor();
    await expect(page.getByText(/^Password must be at least/)).toHaveCount(1);
    await expect(page.getByLabel('New Password')).toHaveAttribute('aria-invalid', 'true');
    await expect(part('Password').locator('input:not([hidden])').first()).toHaveAttribute(
      'autocomplete',
      'current-password',
    );
    await fill(password, password, password);
    await part('Password').getByText('Choose a password that differs from your current one.').waitFor();
    await fill(newPassword, `${newPassword}r`, password);
    await part('Password').getByText('Please ensure both password fields match').waitFor();
    await fill('password123', 'password123', password);
    await part('Password').getByText('This password is too common. Choose another one.').waitFor();
    await fill(newPassword, newPassword, 'not this one');
    await part('Password').getByText('Your current password is incorrect.').waitFor();
    await expect(page.getByLabel('New Password')).toHaveValue(newPassword);
    expect(await violations()).toEqual([]);
    await fill(newPassword, newPassword, password);
    await part('Password').getByText(answers.passwordChanged).waitFor();
    expect(await hasFocus('Change password')).toBe(true);
    await other.reload();
    await other.getByRole('link', { name: 'Sign In' }).first().waitFor();
    await part('Devices').getByText('This device ·').waitFor();
  });

  test('enables two-factor authentication with the displayed key, and shows recovery codes', async () => {
    await button('Turn on').click();
    await current().fill(newPassword);
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

  test('accepts an authenticator code and a recovery code, each once', async () => {
    for (const code of [totpCode(secret), codes[0] ?? '']) {
      await forgetStep();
      await button('Sign Out').click();
      await page.getByRole('link', { name: 'Sign In' }).first().waitFor();
      await signIn(page, { email, password: newPassword });
      await page.getByLabel('Authenticator code or recovery code').fill(code);
      await button('Sign In').click();
      await page.getByText('Welcome, Grace').waitFor();
    }
    await signIn(other, { email, password: 'not this one' });
    const form = other.getByRole('tabpanel');
    await form.getByText('Incorrect email or password.', { exact: true }).waitFor();
    await expect(other.getByLabel('Password', { exact: true })).toHaveAttribute('aria-invalid', 'true');
    await other.getByLabel('Password', { exact: true }).fill(newPassword);
    await other.getByRole('button', { name: 'Sign In' }).click();
    const code = other.getByLabel('Authenticator code or recovery code');
    await code.waitFor();
    // The error of the previous step is gone, at the field and in the toast.
    await expect.poll(() => other.getByText('Incorrect email or password.').count()).toBe(0);
    const sent: string[] = [];
    other.on('request', (request) => request.url().endsWith('/api/login') && sent.push(request.url()));
    await code.fill('123 45');
    await other.getByRole('button', { name: 'Sign In' }).click();
    await form.getByText('Enter all 6 digits from your authenticator app, or a full recovery code.').waitFor();
    expect(sent).toEqual([]);
    await code.fill(codes[0] ?? '');
    await other.getByRole('button', { name: 'Sign In' }).click();
    await form.getByText(/^This code is incorrect or was already used\./).waitFor();
    expect(sent).toHaveLength(1);
  });

  test('counts recovery codes down, and replaces them while two-factor authentication stays on', async () => {
    await page.goto('/account');
    const section = part('Two-factor authentication');
    await section.getByText(`9 of ${limits.recoveryCodes} recovery codes left`).waitFor();
    await button('Create new codes').click();
    await current().fill(newPassword);
    await section.getByLabel('Authenticator code or recovery code').fill(codes[1] ?? '');
    await button('Create new codes').click();
    const dialog = page.getByRole('dialog', { name: 'Save your recovery codes' });
    await dialog.getByText(/^Your previous codes no longer work\./).waitFor();
    codes = await dialog.getByRole('listitem').allInnerTexts();
    expect(codes).toHaveLength(limits.recoveryCodes);
    expect(await violations()).toEqual([]);
    await dialog.getByLabel("I've saved these codes").check();
    await button('Done').click();
    await section.getByText(`10 of ${limits.recoveryCodes} recovery codes left`).waitFor();
    expect(await hasFocus('Create new codes')).toBe(true);
  });

  test('changes the email address when the new one is confirmed', async () => {
    await page.goto('/account');
    await button('Change email').click();
    const field = page.getByLabel('New email address');
    await field.fill(email);
    await current().fill(newPassword);
    await page.getByLabel('Authenticator code or recovery code').fill(codes[1] ?? '');
    await button('Send link').click();
    await part('Email address').getByText('This is already your email address.').waitFor();
    await field.fill(newEmail);
    await button('Send link').click();
    await part('Email address').getByText(`Check your inbox at ${newEmail}.`).waitFor();
    await part('Email address').getByText(answers.emailChangeAsked).waitFor();
    await part('Email address').getByText(email, { exact: true }).waitFor();
    await other.goto(await site.linkOf(newEmail, 'Confirm your new email address'));
    await other.getByRole('button', { name: 'Confirm email address' }).click();
    await other.getByRole('heading', { name: 'Email address confirmed' }).waitFor();
    await page.reload();
    await part('Email address').getByText(newEmail, { exact: true }).waitFor();
    await part('Email address').getByText('Confirmed', { exact: true }).waitFor();
  });

  test('links an expired email confirmation to the account settings', async () => {
    await page.goto('/verify-email?token=gone');
    await button('Confirm email address').click();
    await page.getByRole('heading', { name: "Couldn't confirm email address" }).waitFor();
    await page.getByRole('link', { name: 'Go to account settings' }).click();
    await page.waitForURL('**/account#email');
    await part('Email address').getByText(newEmail, { exact: true }).waitFor();
  });

  test('disables two-factor authentication with a recovery code', async () => {
    await button('Turn off').click();
    await current().fill(newPassword);
    await page.getByLabel('Authenticator code or recovery code').fill(codes[2] ?? '');
    await button('Turn off').click();
    await page.getByText('Two-factor authentication is off', { exact: true }).first().waitFor();
    await button('Turn on').waitFor();
    expect(await hasFocus('Turn on')).toBe(true);
    await signIn(other, { email: newEmail, password: newPassword });
    await other.getByText('Welcome, Grace').waitFor();
  });
});
