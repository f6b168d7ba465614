import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import { waitForMail } from '@uprez/testing/mail';
import { totpCode } from '@uprez/testing/totp-code';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';

const password = 'a longer battery staple';

test('two-factor authentication is turned on with a code, and protects a change of the email address', async ({
  site,
  browser,
}) => {
  const [email, newEmail] = [`${randomUUID()}@example.test`, `${randomUUID()}@example.test`];
  const context = await browser.newContext({ viewport: { width: 1_440, height: 800 }, baseURL: site.url });
  const page = await context.newPage();
  const body = { email, password, firstName: 'Grace' };
  expect((await page.request.post('/api/register', { data: body })).status()).toBe(201);
  await site.db.updateTable('users').set({ emailVerified: true }).where('email', '=', email).execute();
  await page.goto('/account');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const part = (name: string) => page.getByRole('region', { name, exact: true });
  const current = () => page.getByLabel('Current password');
  const violations = () => findViolations(page);
  const hasFocus = (name: string) => button(name).evaluate((element) => element === document.activeElement);
  let secret = '';
  let codes: string[] = [];

  await test.step('enables two-factor authentication with the displayed key, and shows recovery codes', async () => {
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

  await test.step('keeps the recovery codes open until they are saved, and downloads them', async () => {
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

  await test.step('asks for a code to change the email address', async () => {
    await button('Change email').click();
    await page.getByLabel('New email address').fill(newEmail);
    await current().fill(password);
    await page.getByLabel('Authenticator code or recovery code').fill(codes[1] ?? '');
    await button('Send link').click();
    await part('Email address').getByText(`Check your inbox at ${newEmail}.`).waitFor();
    await waitForMail(site.mailUrl, newEmail, 'Confirm your new email address');
    expect(await violations()).toEqual([]);
  });
  await context.close();
});
