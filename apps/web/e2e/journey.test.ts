import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import sharp from 'sharp';
import { type Site, test } from './support/fixtures.ts';

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

  test('redirects to the sign-in page after choosing a photo and a factor', async () => {
    await page.goto(site.url);
    const buffer = await makeImage({ ...photo, format: 'jpeg', seed: 7 });
    await page.getByLabel('Image file').setInputFiles({ name: 'harbor.jpg', mimeType: 'image/jpeg', buffer });
    await page.getByText('harbor.jpg').first().waitFor();
    const factor = page.getByRole('slider', { name: 'Scale factor' });
    expect(await factor.getAttribute('aria-valuemax')).toBe('4');
    await factor.press('End');
    expect(await factor.getAttribute('aria-valuetext')).toBe('4x, 1280 by 960 pixels');
    await page.getByRole('button', { name: 'Process image' }).click();
    await page.getByText('Authentication Required', { exact: true }).first().waitFor();
    await page.getByText('Please sign in to process images', { exact: true }).first().waitFor();
    await page.waitForURL(/\/auth\?next=/);
  });

  test('restores the photo and the factor after sign-up', async () => {
    await page.getByRole('tab', { name: 'Sign Up' }).click();
    await page.getByLabel('First Name').fill('Grace');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('six feet');
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.getByText('Welcome, Grace').waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await page.getByText('harbor.jpg').first().waitFor();
    const factor = page.getByRole('slider', { name: 'Scale factor' });
    expect(await factor.getAttribute('aria-valuenow')).toBe('4');
    // The slider goes to 8; larger factors than the plan allows are locked.
    expect(await factor.getAttribute('aria-valuemax')).toBe('4');
    await page.getByText('Upgrade to Pro for 5x with AI.').waitFor();
  });

  test('shows progress and a comparison, and downloads a result of four times the size', async () => {
    await page.getByRole('button', { name: 'Process image' }).click();
    await page.getByRole('progressbar').first().waitFor();
    const download = page
      .getByRole('link', { name: 'Download' })
      .or(page.getByRole('button', { name: 'Download' }))
      .first();
    await download.waitFor({ timeout: 60_000 });
    await page.getByRole('slider', { name: /Divider/ }).waitFor();
    await page.getByText('320 x 240 -> 1,280 x 960').first().waitFor();
    await page.getByText('photo-fast', { exact: true }).first().waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()]);
    expect(file.suggestedFilename()).toBe('harbor-4x.png');
    const { width, height, format } = await sharp(await readFile(await file.path())).metadata();
    expect({ width, height, format }).toEqual({ width: 1_280, height: 960, format: 'png' });
    const jobs = await site.db
      .selectFrom('jobs')
      .innerJoin('users', 'users.id', 'jobs.accountId')
      .select(['status', 'attempt'])
      .where('email', '=', email)
      .execute();
    expect(jobs).toEqual([{ status: 'completed', attempt: 1 }]);
  });

  test('signs out, shows an error for a wrong password, and signs in again', async () => {
    await page.getByRole('button', { name: 'Sign Out' }).click();
    await page.getByRole('link', { name: 'Sign In' }).first().click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill('wrong one');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Login failed', { exact: true }).first().waitFor();
    await page
      .getByRole('tabpanel')
      .getByText(/^We couldn't sign you in/)
      .waitFor();
    await page.getByLabel('Password', { exact: true }).fill('six feet');
    await page.getByRole('button', { name: 'Sign In' }).click();
    await page.getByText('Welcome, Grace').waitFor();
  });

  test('logs no console errors except for the failed sign-in', () => {
    expect(problems.filter((text) => !/401|Unauthorized/.test(text))).toEqual([]);
  });
});
