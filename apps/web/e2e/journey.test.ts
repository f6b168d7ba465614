import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import sharp from 'sharp';
import { type Site, test } from './support/fixtures.ts';
import { watchFor } from './support/watch-for.ts';

const photo = { width: 320, height: 240 };
const email = `${randomUUID()}@example.test`;

test.describe('a visitor upscales a photo', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  const problems: string[] = [];
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    page.on('pageerror', (error) => problems.push(String(error)));
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  });
  test.afterAll(() => page?.context().close());

  const jobs = () =>
    site.db
      .selectFrom('jobs')
      .innerJoin('users', 'users.id', 'jobs.accountId')
      .select(['status', 'attempt'])
      .where('email', '=', email)
      .execute();

  test('opens the sign-up form, one click from signing in, when processing a photo', async () => {
    const waitForTitle = await watchFor(page, 'Authentication Required');
    const waitForText = await watchFor(page, 'Please sign in to process images');
    await page.goto(site.url);
    const buffer = await makeImage({ ...photo, format: 'jpeg', seed: 7 });
    await page.getByLabel('Image file').setInputFiles({ name: 'harbor.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByText('harbor.jpg').first().waitFor();
    const factor = page.getByRole('slider', { name: 'Scale factor' });
    await expect(factor).toHaveAttribute('aria-valuemax', '4');
    await factor.press('End');
    await expect(factor).toHaveAttribute('aria-valuetext', '4x, 1280 by 960 pixels');
    await page.getByText(/^You need a free account\./).waitFor();
    await page.getByRole('button', { name: 'Process image' }).click();
    await waitForTitle();
    await waitForText();
    await page.waitForURL(/\/auth\?next=/);
    await page.getByText('Your image is then processed with the options you chose.').waitFor();
    await page.getByLabel('First Name').waitFor();
    await page.getByRole('tab', { name: 'Sign In' }).click();
    await page.getByLabel('First Name').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Sign Up' }).click();
  });

  test('processes the photo with the same factor after sign-up, which requires the consent', async () => {
    await page.getByLabel('First Name').fill('Grace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('six feet');
    const consent = page.getByRole('checkbox', { name: /^I am 13 or older/ });
    const create = page.getByRole('button', { name: 'Create Account' });
    await create.click();
    expect(await consent.evaluate((box: HTMLInputElement) => box.validity.valueMissing)).toBe(true);
    await consent.check();
    await create.click();
    await page.getByText('Welcome, Grace').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByText('harbor.jpg').first().waitFor();
    await page.getByRole('progressbar').first().waitFor();
    const { termsVersion } = await site.db
      .selectFrom('users')
      .select('termsVersion')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    expect(termsVersion).not.toBeNull();
  });

  test('shows a comparison, and downloads a result of four times the size', async () => {
    const download = page
      .getByRole('link', { name: 'Download' })
      .or(page.getByRole('button', { name: 'Download' }))
      .first();
    await download.waitFor({ timeout: 60_000 });
    await page.getByRole('slider', { name: /Divider/ }).waitFor();
    await page.getByText('320 x 240 -> 1,280 x 960').first().waitFor();
    await page.getByText('photo-fast', { exact: true }).first().waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(file.suggestedFilename()).toBe('harbor-4x.jpg');
    const { width, height, format } = await sharp(await readFile(await file.path())).metadata();
    expect({ width, height, format }).toEqual({ width: 1_280, height: 960, format: 'jpeg' });
    expect(await jobs()).toEqual([{ status: 'completed', attempt: 1 }]);
  });

  test('does not process the photo again after a reload and the back button', async () => {
    const download = page.getByRole('link', { name: 'Download' });
    await page.reload();
    await download.waitFor();
    await page.goBack();
    await page.getByText('Welcome, Grace').waitFor();
    await download.waitFor();
    expect(await jobs()).toHaveLength(1);
  });

  test('signs out, shows an error for a wrong password, and signs in again', async () => {
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Sign In' }).first().click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('wrong one');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Login failed', { exact: true }).first().waitFor();
    await page.getByRole('tabpanel').getByText('Incorrect email or password.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('six feet');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Welcome, Grace').waitFor();
  });

  test('logs no console errors except for the failed sign-in', () => {
    expect(problems.filter((text) => !/401|Unauthorized/.test(text))).toEqual([]);
  });
});
