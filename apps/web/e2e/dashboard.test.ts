import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { currentPlans } from '@uprez/contracts/policy/plans/plans';
import { corruptPng, makeImage } from '@uprez/testing/make-image';
import { checkScreens } from './support/check-screens.ts';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { watchFor } from './support/watch-for.ts';

const email = `${randomUUID()}@example.test`;
const password = 'a longer battery staple';
const { included } = currentPlans.free;

test.describe('the dashboard', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ baseURL: site.url, viewport: { width: 1280, height: 900 } })).newPage();
    page.setDefaultTimeout(15_000);
    const data = { email, password, firstName: 'Grace' };
    await page.request.post('/api/register', { data, headers: { origin: site.url } });
  });
  test.afterAll(() => page?.context().close());

  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const view = (name: string) => page.getByRole('radio', { name, exact: true });
  const card = (name: string) =>
    page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem').filter({ hasText: name });
  const stat = (label: string) => page.getByText(label, { exact: true }).locator('xpath=..');
  const meter = (name: string) => page.getByRole('meter', { name, exact: true });
  const violations = () => findViolations(page);

  /** Uploads an image outside of the page. */
  const upload = (name: string, buffer: Buffer) =>
    page.request.post('/api/images/process', {
      headers: { origin: site.url, prefer: 'respond-async' },
      multipart: { image: { name, mimeType: 'image/png', buffer }, engine: 'standard' },
    });

  test('updates a finished and a failed image without a reload', async () => {
    await page.goto('/dashboard?tab=activity');
    await page.getByText('No images yet').waitFor();
    await page.evaluate(() => document.body.setAttribute('data-same', 'page'));
    const whole = await makeImage({ width: 320, height: 240, format: 'png', seed: 3 });
    await upload('whole.png', whole);
    // The header is valid, so the job fails while decoding.
    await upload('torn.png', corruptPng(whole));
    await card('whole.png').getByText('Completed').waitFor();
    await card('torn.png').getByText('Failed').waitFor();
    await card('torn.png')
      .getByText(/^The image is damaged/)
      .waitFor();
    await card('whole.png').getByText('320 x 240 -> 640 x 480').waitFor();
    await card('whole.png')
      .getByText(/^Expires in 2\d h$/)
      .waitFor();
    await stat('Images processed').getByText('1', { exact: true }).waitFor();
    await stat('Average time')
      .getByText(/^\d+(\.\d)? s$/)
      .waitFor();
    await expect(stat('Storage').locator('dd').first()).toHaveText(/^\d+(\.\d+)? KB$/);
    await page.getByText(`1 of ${included.standard}`, { exact: true }).waitFor();
    await expect(meter('Standard images')).toHaveAttribute('aria-valuetext', `1 of ${included.standard}`);
    expect(await page.evaluate(() => document.body.getAttribute('data-same'))).toBe('page');
  });

  test('shows all parts of a card with a long filename on all screens', async () => {
    // Events of the images would bring their own names back.
    await page.route(`**${apiRoutes.events.path}`, (route) => route.abort());
    const name = 'a-harbor-in-the-morning-with-boats-and-gulls.png';
    await page.route('**/api/jobs?*', async (route) => {
      const response = await route.fetch({ maxRetries: 2 });
      const jobs: object[] = await response.json();
      await route.fulfill({ response, json: jobs.map((job) => ({ ...job, filename: name })) });
    });
    await page.reload();
    const cards = page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem');
    await cards.filter({ hasText: name }).first().waitFor();
    for (const width of [360, 768, 1_440]) {
      await page.setViewportSize({ width, height: 900 });
      const cut = await cards.evaluateAll((items) =>
        items.flatMap((item) => {
          const edge = item.getBoundingClientRect().right;
          const parts = [...item.querySelectorAll('a, button, p > span, p.text-danger')];
          return parts.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.outerHTML);
        }),
      );
      expect(cut).toEqual([]);
    }
    await page.unrouteAll();
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.reload();
    await card('whole.png').waitFor();
  });

  test('opens the receipt of a result, restores the focus, and downloads the result under its name', async () => {
    await button('Actions for whole.png').click();
    await page.getByRole('menuitem', { name: 'View receipt' }).click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await receipt.getByText('standard', { exact: true }).waitFor();
    await receipt.getByText(/^640 x 480 · .* · PNG/).waitFor();
    await receipt.getByText('Time per step', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await receipt.waitFor({ state: 'detached' });
    expect(await button('Actions for whole.png').evaluate((element) => element === document.activeElement)).toBe(true);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download whole.png' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('whole-2x.png');
  });

  test('shows the reason of each credit change, the usage per day, and each day of the chart with the arrow keys', async () => {
    await view('Credits').click();
    const rows = page.getByRole('table', { name: 'Credit history, newest first' }).getByRole('row');
    await rows.filter({ hasText: 'Refunded: the image is damaged' }).filter({ hasText: '+1' }).waitFor();
    await expect(rows.filter({ hasText: 'Reserved for one image of 640 x 480 pixels' })).toHaveCount(2);
    await expect(rows.filter({ hasText: 'Charged' })).toHaveCount(1);
    await view('Usage').click();
    await page.getByText('1 image processed', { exact: true }).waitFor();
    await page.getByText('1 failed during processing (not charged)', { exact: true }).waitFor();
    await view('Table').click();
    const today = page.getByRole('table', { name: 'Images per day (UTC)' }).getByRole('row').nth(1);
    await expect(today.getByRole('cell')).toHaveText(['1', '0', '1']);
    await view('Engine').click();
    await expect(today.getByRole('cell')).toHaveText(['0', '1', '1']);
    await view('Chart').click();
    const chart = page.getByRole('application');
    await chart.focus();
    await chart.press('ArrowLeft');
    await page
      .locator('.recharts-tooltip-wrapper')
      .getByText(/^[A-Z][a-z]{2} \d{1,2}, \d{4}$/)
      .waitFor();
  });

  test('deletes a result and shows the deleted files', async () => {
    await view('Images').click();
    await button('Actions for whole.png').click();
    await page.getByRole('menuitem', { name: 'Delete now' }).click();
    const question = page.getByRole('alertdialog', { name: 'Delete this image?' });
    expect(await question.getByRole('button', { name: 'Cancel' }).evaluate((b) => b === document.activeElement)).toBe(
      true,
    );
    await question.getByRole('button', { name: 'Delete image' }).click();
    const receipt = page.getByRole('dialog', { name: 'Deletion receipt' });
    await receipt.getByText('Result (SHA-256)', { exact: true }).waitFor();
    await expect(receipt.getByText(/^[0-9a-f]{64}$/)).toHaveCount(2);
    await page.keyboard.press('Escape');
    await card('whole.png').getByText('Deleted', { exact: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.textContent.includes('whole.png'));
    await expect(page.getByRole('link', { name: 'Download whole.png' })).toHaveCount(0);
    await stat('Images processed').getByText('1', { exact: true }).waitFor();
  });

  test('polls for new images when the event stream fails', async () => {
    await page.route('**/api/events', (route) => route.abort());
    await page.reload();
    await card('torn.png').waitFor();
    await upload('late.png', await makeImage({ width: 8, height: 8, format: 'png', seed: 2 }));
    await card('late.png').getByText('Completed').waitFor({ timeout: 60_000 });
    await page.unrouteAll();
  });

  for (const [name, ready] of [
    ['images', () => card('late.png')],
    ['usage', () => page.getByRole('application')],
    ['units', () => page.getByRole('table')],
  ] as const)
    test(`${name}: is accessible in both themes, and fits the screen`, () =>
      checkScreens(page, `${site.url}/dashboard?tab=activity&view=${name}`, () => ready().waitFor()));

  test('shows free users their sandbox key and the API offer, and the key form after an upgrade', async () => {
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.goto('/dashboard?tab=api-keys');
    await page.getByRole('tab', { name: 'API Keys', selected: true }).waitFor();
    await page.getByRole('heading', { name: 'Free sandbox key' }).waitFor();
    await page.getByRole('heading', { name: 'Get live API keys' }).waitFor();
    expect(await violations()).toEqual([]);
    await site.db.updateTable('users').set({ tier: 'api_basic' }).where('email', '=', email).execute();
    await page.getByRole('textbox', { name: 'Name' }).waitFor({ timeout: 60_000 });
    await page.setViewportSize({ width: 360, height: 740 });
    const tabs = page.getByRole('tablist', { name: 'Dashboard' });
    expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  test('redirects to the sign-in page when the session ends, and back to the same tab', async () => {
    const waitForTitle = await watchFor(page, 'Unauthorized');
    const waitForText = await watchFor(page, 'You are logged out. Logging in again...');
    await page.goto('/dashboard?tab=activity');
    await card('late.png').waitFor();
    await site.db.deleteFrom('sessions').execute();
    await waitForTitle();
    await waitForText();
    await page.waitForURL((url) => url.pathname === '/auth');
    expect(new URL(page.url()).searchParams.get('next')).toBe('/dashboard?tab=activity');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await button('Sign In').click();
    await page.getByRole('heading', { level: 1, name: 'Welcome, Grace' }).waitFor();
    await page.getByRole('tab', { name: 'Recent Activity', selected: true }).waitFor();
  });
});
