import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import { makePlanCard } from '@uprez/contracts/policy/plan-cards';
import { currentPlans } from '@uprez/contracts/policy/plans';
import { waitForMail } from '@uprez/testing/mail';
import { totpCode } from '@uprez/testing/totp-code';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';

const email = `${randomUUID()}@example.test`;
const password = 'a longer battery staple';
const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1';

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

  /** Signs in on another device. */
  const signInOnPhone = () =>
    fetch(`${site.url}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': phone },
      body: JSON.stringify({ email, password }),
    });

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

  test('says whether the confirmation link was sent, or when it can be sent again', async () => {
    const section = page.getByRole('region', { name: 'Email address' });
    await section.getByText(email).waitFor();
    await section.getByText('Not confirmed').waitFor();
    const ageMails = (seconds: number) =>
      site.db
        .updateTable('outbox')
        .set({ createdAt: new Date(Date.now() - seconds * 1_000) })
        .where('kind', '=', 'mail')
        .execute();
    await ageMails(20);
    await section.getByRole('button', { name: 'Resend link' }).click();
    await page
      .getByText(/^We already sent a link to .+ You can request another one in \d\d seconds\.$/)
      .first()
      .waitFor();
    await ageMails(90);
    await section.getByRole('button', { name: 'Resend link' }).click();
    await page.getByText('Check your email', { exact: true }).first().waitFor();
    await page.getByText(`We sent a link to ${email}. It expires in 24 hours.`).first().waitFor();
  });

  test('notices when the window gets the focus that the email address was confirmed elsewhere', async () => {
    await site.db.updateTable('users').set({ emailVerified: true }).where('email', '=', email).execute();
    await page.evaluate(() => void window.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('region', { name: 'Email address' }).getByText('Confirmed', { exact: true }).waitFor();
  });

  test('saves the name and updates the greeting, and keeps an invalid name with an error', async () => {
    const field = page.getByLabel('First name');
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await field.fill('a'.repeat(limits.nameLength + 1));
    await page.getByText('Unsaved changes').waitFor();
    await button('Save').click();
    const profile = page.getByRole('region', { name: 'Profile' });
    await profile.getByText(`Name can't be longer than ${limits.nameLength} characters.`).waitFor();
    expect(await field.inputValue()).toHaveLength(limits.nameLength + 1);
    expect(await field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.fill(' Admiral ');
    await page.getByLabel('Last name').fill('Hopper');
    await button('Save').click();
    await page.getByText('Welcome, Admiral').waitFor();
    await page.getByText('Unsaved changes').waitFor({ state: 'detached' });
    await page.reload();
    await page.getByText('Welcome, Admiral').waitFor();
    await expect(page.getByLabel('Last name')).toHaveValue('Hopper');
  });

  test('turns emails about the quota off, and keeps the choice', async () => {
    const choice = page.getByLabel('Email me when I reach 80% and 100% of my quota');
    await expect(choice).toBeChecked();
    await Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PATCH'), choice.click()]);
    await page.reload();
    await choice.waitFor();
    await expect(choice).not.toBeChecked();
  });

  test('turns emails about long batches on, and keeps the choice', async () => {
    const choice = page.getByLabel('Email me when a batch that takes more than 10 minutes is done');
    await expect(choice).not.toBeChecked();
    await Promise.all([page.waitForResponse((answer) => answer.request().method() === 'PATCH'), choice.click()]);
    await page.reload();
    await choice.waitFor();
    await expect(choice).toBeChecked();
  });

  test('shows the plan, its usage, and a link to all plans', async () => {
    const plan = page.getByRole('region', { name: 'Plan and usage' });
    await plan.getByText(currentPlans.free.name, { exact: true }).waitFor();
    for (const [label, text] of [
      ['AI images', `0 of ${currentPlans.free.included.ai}`],
      ['Standard images', `0 of ${currentPlans.free.included.standard}`],
    ] as const)
      await expect(plan.getByRole('meter', { name: label })).toHaveAttribute('aria-valuetext', text);
    await plan
      .getByText(/^Resets /)
      .first()
      .waitFor();
    const { features, limitations } = makePlanCard('free');
    for (const sentence of [...features, ...limitations]) await plan.getByText(sentence, { exact: true }).waitFor();
    await expect(plan.getByRole('link', { name: 'Compare plans' })).toHaveAttribute('href', '/pricing');
  });

  test('shows an error for a wrong password, and downloads an export of the data', async () => {
    await button('Export data').click();
    const field = page.getByLabel('Current password');
    await field.fill('not this one');
    await button('Export data').click();
    await page.getByText('Your current password is incorrect.', { exact: true }).first().waitFor();
    await expect(page.getByText('Your current password is incorrect.', { exact: true })).toHaveCount(1);
    await expect(field).toHaveAttribute('aria-invalid', 'true');
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

  test('signs out another device', async () => {
    expect((await signInOnPhone()).status).toBe(200);
    await page.reload();
    const devices = page.getByRole('list', { name: 'Signed-in devices' }).getByRole('listitem');
    await page.getByText('Safari on iPhone').waitFor();
    await expect(devices.filter({ hasText: 'This device' })).toHaveCount(1);
    await button('Sign out Safari on iPhone').press('Enter');
    await page.getByText('Safari on iPhone').waitFor({ state: 'detached' });
    await expect(devices).toHaveCount(1);
    const held = page.getByRole('region', { name: 'Devices' }).locator(':focus');
    await expect(held.getByRole('list', { name: 'Signed-in devices' })).toHaveCount(1);
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
      ['/dashboard', 'Welcome, Admiral'],
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

  test('shows one maintenance error without buttons that would fail', async () => {
    const sentence = 'The service is down for maintenance. Try again later.';
    const closed = { status: 503, headers: { 'x-error-code': 'maintenance' } };
    const body = JSON.stringify({ status: 503, code: 'maintenance', title: sentence, detail: sentence });
    await page.route(/\/api\/(sessions|user\/export)$/, (route) =>
      route.fulfill({ ...closed, contentType: 'application/problem+json', body }),
    );
    await page.reload();
    await page.getByText(sentence).waitFor();
    await button('Sign out everywhere').waitFor({ state: 'detached' });
    await expect(page.getByText(sentence)).toHaveCount(1);
    await page.unrouteAll();
    await button('Try again').click();
    await button('Sign out everywhere').waitFor();
  });

  test('redirects to the sign-in page and back when the session has ended', async () => {
    await page.getByRole('list', { name: 'Signed-in devices' }).waitFor();
    await site.db.deleteFrom('sessions').execute();
    await button('Sign out everywhere').click();
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
