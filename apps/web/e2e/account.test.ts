import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from '@playwright/test';
import { waitForMail } from '@uprez/testing/mail';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';

const password = 'a longer battery staple';

test('the account page exports the data of an account, and schedules and cancels its deletion', async ({
  site,
  browser,
}) => {
  const email = `${randomUUID()}@example.test`;
  const context = await browser.newContext({ viewport: { width: 390, height: 800 }, baseURL: site.url });
  const page = await context.newPage();
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const data = { email, password, firstName: 'Grace' };
  expect((await context.request.post('/api/register', { data, headers: { origin: site.url } })).status()).toBe(201);
  await site.db.updateTable('users').set({ emailVerified: true }).where('email', '=', email).execute();
  await page.goto(site.url);
  await button('Menu').click();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor();

  await test.step('downloads an export of the data', async () => {
    await button('Export data').click();
    const field = page.getByLabel('Current password');
    await field.fill('not this one');
    await button('Export data').click();
    await page.getByText('Your current password is incorrect.', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await field.fill(password);
    await button('Export data').click();
    const link = page.getByRole('link', { name: /^Download export from / });
    await link.waitFor();
    await page.getByText(/^until /).waitFor();
    await waitForMail(site.mailUrl, email, 'ready to download');
    expect(await findViolations(page)).toEqual([]);
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    expect(file.suggestedFilename()).toMatch(/^export-\d{4}-\d\d-\d\d\.zip$/);
    expect((await readFile(await file.path())).subarray(0, 2).toString()).toBe('PK');
  });

  await test.step('schedules the deletion, and cancels it', async () => {
    await button('Delete account').click();
    await expect(button('Cancel')).toBeFocused();
    await page.getByLabel('Current password').fill(password);
    const typed = page.getByLabel(`Type ${email} to confirm`);
    await typed.fill('somebody@example.test');
    await button('Delete account').click();
    await page.getByText("This doesn't match your email address.", { exact: true }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await typed.fill(email);
    await button('Delete account').click();
    const keep = button('Keep account');
    await expect(keep).toBeInViewport();
    await expect(keep).toBeFocused();
    expect(await findViolations(page)).toEqual([]);
    await waitForMail(site.mailUrl, email, 'account will be deleted');
    await page.goto('/dashboard');
    await page.getByText(/^Your account will be deleted on /).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await keep.click();
    await page.getByText("Your account won't be deleted", { exact: true }).first().waitFor();
    await keep.waitFor({ state: 'detached' });
  });
  await context.close();
});
