import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { totpCode } from '@uprez/testing/totp-code';
import { type Site, test } from './support/fixtures.ts';

const email = `${randomUUID()}@example.test`;
const password = 'a longer battery staple';

test.describe('links in emails', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 390, height: 800 } })).newPage();
  });
  test.afterAll(() => page?.context().close());

  test('confirm the email address after a click, not when the page opens', async () => {
    await page.goto(`${site.url}/auth`);
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('First Name').fill('Grace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('six feet under');
    await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('Welcome, Grace').waitFor();
    await page.goto(`${site.url}/verify-email`);
    await page.getByRole('button', { name: 'Send a new link' }).click();
    await page.getByText(`We already sent a link to ${email}.`).first().waitFor();
    await page.goto(await site.linkOf(email, 'Confirm your email address'));
    const confirm = page.getByRole('button', { name: 'Confirm email address' });
    await confirm.waitFor();
    const isVerified = async () =>
      (await site.db.selectFrom('users').select('emailVerified').where('email', '=', email).executeTakeFirst())
        ?.emailVerified;
    expect(await isVerified()).toBe(false);
    await confirm.click();
    await page.getByRole('heading', { name: 'Email address confirmed' }).waitFor();
    expect(await isVerified()).toBe(true);
  });

  test('are requested for a password reset', async () => {
    const card = page.getByRole('tabpanel');
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Sign In' }).first().click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Forgot your password?' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await page.getByText('Password Reset Sent', { exact: true }).first().waitFor();
    await card.getByText(/^If an account with this email exists/).waitFor();
    await expect(page.getByLabel('Email')).toHaveValue('');
  });

  test('reset the password, show validation errors, and redirect to the sign-in page', async () => {
    const link = await site.linkOf(email, 'Reset your');
    await page.goto(link);
    const submit = async (first: string, second: string) => {
      await page.getByLabel('New Password').fill(first);
      await page.getByLabel('Confirm Password').fill(second);
      await page.getByRole('button', { name: 'Reset Password' }).click();
    };
    await submit('short', 'short');
    await page.getByText('Password Too Short', { exact: true }).first().waitFor();
    await submit(password, `${password}r`);
    await page.getByText("Passwords Don't Match", { exact: true }).first().waitFor();
    await page.getByText('Please ensure both password fields match').first().waitFor();
    await expect(page.getByLabel('Confirm Password')).toHaveAttribute('aria-invalid', 'true');
    await submit('password123', 'password123');
    await page.getByText('Password Reset Failed', { exact: true }).first().waitFor();
    let go = () => {};
    const held = new Promise<void>((resolve) => {
      go = resolve;
    });
    await page.route('**/api/reset-password', (route) => held.then(() => route.continue()));
    await submit(password, password);
    await page.getByRole('button', { name: 'Resetting Password...', exact: true }).waitFor();
    go();
    await page.getByRole('heading', { name: 'Password Reset Successful' }).waitFor();
    await page.getByRole('link', { name: 'Go to Login', exact: true }).waitFor();
    await page.unroute('**/api/reset-password');
    await page.waitForURL(/\/auth$/);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Welcome, Grace').waitFor();
    await page.goto(link);
    await submit(password, password);
    await page.getByRole('heading', { name: 'Invalid Reset Link' }).waitFor();
    await page.getByRole('button', { name: 'Request a new link' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByRole('button', { name: 'Send Reset Link' }).click();
    await page
      .getByRole('main')
      .getByText(/^If an account with this email exists/)
      .waitFor();
  });

  test('are not needed to sign in with two-factor authentication', async () => {
    const call = async (path: string, data: object) =>
      (await page.request.post(site.url + path, { data })).json() as Promise<Record<string, unknown>>;
    const { secret } = await call('/api/2fa/setup', { password });
    const { recoveryCodes } = await call('/api/2fa/enable', { code: totpCode(String(secret)) });
    await page.goto(site.url);
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Sign In' }).first().click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    const submit = page.getByRole('button', { name: 'Sign In' });
    await submit.click();
    const code = page.getByLabel('Authenticator code or recovery code');
    await code.waitFor();
    await expect(page.getByText('Login failed', { exact: true })).toHaveCount(0);
    await code.fill('000000');
    await submit.click();
    await page.getByText('Login failed', { exact: true }).first().waitFor();
    await code.fill(String((recoveryCodes as string[])[0]));
    await submit.click();
    await page.getByText('Welcome, Grace').waitFor();
  });

  test('show where to get a new link when the token is missing', async () => {
    await page.goto(`${site.url}/reset-password`);
    await page.getByRole('heading', { name: 'Invalid Reset Link' }).waitFor();
    await page.getByText('No reset token found in the URL', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Back to Login' }).waitFor();
    await page.goto(`${site.url}/verify-email`);
    await page.getByRole('link', { name: 'Go to account settings' }).click();
    await page.waitForURL(`${site.url}/account#email`);
  });
});
