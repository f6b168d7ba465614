import { randomUUID } from 'node:crypto';
import { expect, type Page, type Route } from '@playwright/test';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { dashboardRules } from '@uprez/contracts/policy/dashboard-rules';
import { countImages } from '@uprez/contracts/policy/meters';
import { currentPlans } from '@uprez/contracts/policy/plans';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { corruptPng, makeImage } from '@uprez/testing/make-image';
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

  test('redirects to the sign-in page and back to the same tab', async () => {
    const register = { email, password, firstName: 'Grace' };
    await page.request.post('/api/register', { data: register, headers: { origin: site.url } });
    await page.context().clearCookies();
    const waitForTitle = await watchFor(page, 'Unauthorized');
    const waitForText = await watchFor(page, 'You are logged out. Logging in again...');
    await page.goto('/dashboard?tab=activity');
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

  test('shows empty states for a new account', async () => {
    await page.getByText('No images yet').waitFor();
    await button('Process an image').click();
    await page.waitForURL('/dashboard');
    await page.getByRole('tab', { name: 'Image Processor', selected: true }).waitFor();
    for (const label of ['Images processed', 'API calls']) await stat(label).getByText('0', { exact: true }).waitFor();
    await expect(page.getByText(/previous period/)).toHaveCount(0);
    await stat('Average time').getByText('-', { exact: true }).waitFor();
    await stat('Storage').getByText('0 Bytes', { exact: true }).waitFor();
    await stat('Storage')
      .getByText(/^of 1 GB. Includes results/)
      .waitFor();
    await expect(page.getByRole('tab')).toHaveText(['Image Processor', 'Recent Activity', 'API Keys']);
    await page.getByRole('region', { name: 'Account Management' }).waitFor();
  });

  test('lists the units of the plan in the credit history', async () => {
    await page.getByRole('link', { name: 'View credit history' }).click();
    const rows = page.getByRole('table', { name: 'Credit history, newest first' }).getByRole('row');
    await rows
      .filter({ hasText: countImages(included.ai, 'ai') })
      .filter({ hasText: '+10' })
      .waitFor();
    await rows
      .filter({ hasText: countImages(included.standard, 'standard') })
      .filter({ hasText: '+100' })
      .waitFor();
    await expect(rows).toHaveCount(3);
    await view('Usage').click();
    await page.getByText('No usage in the last 30 days').waitFor();
    await view('7 days').click();
    await page.getByText('No usage in the last 7 days').waitFor();
    const { searchParams } = new URL(page.url());
    expect(Object.fromEntries(searchParams)).toEqual({ tab: 'activity', view: 'usage', period: '7' });
  });

  test('keeps the tab, view, and period after a reload', async () => {
    await page.reload();
    await page.getByRole('tab', { name: 'Recent Activity', selected: true }).waitFor();
    await page.getByText('No usage in the last 7 days').waitFor();
    await expect(view('7 days')).toBeChecked();
    await expect(view('Usage')).toBeChecked();
  });

  test('updates a finished and a failed image without a reload', async () => {
    await view('Images').click();
    await page.getByText('No images yet').waitFor();
    await page.evaluate(() => document.body.setAttribute('data-same', 'page'));
    const whole = await makeImage({ width: 320, height: 240, format: 'png', seed: 3 });
    await upload('whole.png', whole);
    // The header is valid, so the job fails while decoding.
    await upload('torn.png', corruptPng(whole));
    await card('whole.png').getByText('Completed').waitFor({ timeout: 30_000 });
    await card('torn.png').getByText('Failed').waitFor({ timeout: 30_000 });
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

  for (const width of [360, 768, 1_440])
    test(`shows all parts of a card with a long filename at ${width} px`, async () => {
      await page.setViewportSize({ width, height: 900 });
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
      const cut = await cards.evaluateAll((items) =>
        items.flatMap((item) => {
          const edge = item.getBoundingClientRect().right;
          const parts = [...item.querySelectorAll('a, button, p > span, p.text-danger')];
          return parts.filter((part) => part.getBoundingClientRect().right > edge).map((part) => part.outerHTML);
        }),
      );
      expect(cut).toEqual([]);
      await page.unrouteAll();
      await page.setViewportSize({ width: 1_280, height: 900 });
      await page.reload();
      await card('whole.png').waitFor();
    });

  test('shows a placeholder when a thumbnail fails to load', async () => {
    await expect(card('whole.png').locator('img')).toHaveCount(1);
    await page.route('**/api/images/thumbnail/*', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await card('whole.png').getByRole('img', { name: 'No preview' }).waitFor();
    await page.unrouteAll();
  });

  test('opens the receipt of a result and restores the focus', async () => {
    await button('Actions for whole.png').click();
    await page.getByRole('menuitem', { name: 'View receipt' }).click();
    const receipt = page.getByRole('dialog', { name: 'Receipt' });
    await receipt.getByText('standard', { exact: true }).waitFor();
    await receipt.getByText(/^640 x 480 · .* · PNG/).waitFor();
    await receipt.getByText('Time per step', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await receipt.waitFor({ state: 'detached' });
    expect(await button('Actions for whole.png').evaluate((element) => element === document.activeElement)).toBe(true);
  });

  test('downloads the result under its name', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download whole.png' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('whole-2x.png');
  });

  test('shows the reason of each credit change, and the usage per day', async () => {
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
  });

  test('moves between days in the chart with the arrow keys', async () => {
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

  test('filters by the status in the URL, and clears a filter without matches', async () => {
    const status = page.getByRole('combobox', { name: 'Status' });
    await status.click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await card('whole.png').waitFor({ state: 'detached' });
    await card('torn.png').waitFor();
    expect(new URL(page.url()).searchParams.get('status')).toBe('failed');
    await page.goto('/dashboard?tab=activity&status=cancelled');
    await page.getByText('No matching images').waitFor();
    await button('Clear filter').click();
    await card('whole.png').waitFor();
    expect(new URL(page.url()).search).toBe('?tab=activity');
  });

  test('loads more images in pages', async () => {
    const small = await makeImage({ width: 8, height: 8, format: 'png', seed: 1 });
    for (let n = 0; n < 11; n += 1) await upload(`small-${n}.png`, small);
    const shown = dashboardRules.recentActivity;
    const cards = page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem');
    await card('small-10.png').waitFor();
    await page.reload();
    await page.getByText(`${shown} of 13`, { exact: true }).waitFor();
    await expect(cards).toHaveCount(shown);
    await button('Load more').click();
    await page.getByText('13 of 13', { exact: true }).waitFor();
    await expect(cards).toHaveCount(13);
    await expect(button('Load more')).toHaveCount(0);
  });

  test('polls for new images when the event stream fails', async () => {
    await page.route('**/api/events', (route) => route.abort());
    await page.reload();
    await page.getByText('12 of 13', { exact: true }).waitFor();
    await upload('late.png', await makeImage({ width: 8, height: 8, format: 'png', seed: 2 }));
    await card('late.png').getByText('Completed').waitFor({ timeout: 20_000 });
    await page.unrouteAll();
  });

  /** Returns a route handler that changes values in the response of the server. */
  const changed = (change: (stats: Dashboard) => Partial<Dashboard>) => async (route: Route) => {
    const response = await route.fetch({ maxRetries: 2 });
    const stats: Dashboard = await response.json();
    await route.fulfill({ response, json: { ...stats, ...change(stats) } });
  };

  test('compares values with the previous period', async () => {
    const trends = {
      imagesProcessed: { current: 37, previous: 33, change: 12.1 },
      avgProcessingTime: { current: 3_000, previous: 4_000, change: -25 },
    };
    await page.route(
      '**/api/dashboard/stats',
      changed(() => ({ imagesProcessed: 37, trends })),
    );
    const trend = stat('Images processed').getByRole('link', { name: '+12.1% from 33' });
    await trend.waitFor();
    await stat('Average time').getByText('-25% from 4 s').waitFor();
    await expect(stat('API calls').getByRole('link')).toHaveCount(0);
    await expect(async () => {
      // A tooltip closes when the page scrolls, which it does after the focus moved out of view.
      await trend.blur();
      await trend.focus();
      await page.getByRole('tooltip', { name: /37 this month, 33 in/ }).waitFor({ timeout: 2_000 });
    }).toPass();
    await trend.click();
    expect(new URL(page.url()).search).toBe('?tab=activity&view=usage');
    await page.unrouteAll();
  });

  test('shows a warning at 80%, a forecast, and the upgrade when a meter is used up', async () => {
    const resetsAt = '2099-12-01T00:00:00.000Z';
    const meters = (used: number): Dashboard['quota'] => [
      { meter: 'ai', included: 10, granted: 0, used, left: 10 - used, resetsAt },
      { meter: 'standard', included: 100, granted: 0, used: 7, left: 93, resetsAt },
    ];
    const forecast = [{ meter: 'ai' as const, endsAt: '2099-11-12T08:00:00.000Z' }];
    await page.route(
      '**/api/dashboard/stats',
      changed(() => ({ quota: meters(8), forecast })),
    );
    const quota = page.getByRole('region', { name: 'Usage this period' });
    await quota.getByText('Almost at the limit').waitFor();
    await quota.getByText('8 of 10').waitFor();
    await quota.getByText("Resets on Dec 1, 2099. At this rate, you'll reach your limit around Nov 12.").waitFor();
    await expect(quota.getByRole('link', { name: 'View plans' })).toHaveCount(0);
    await page.unrouteAll();
    await page.route(
      '**/api/dashboard/stats',
      changed(() => ({ quota: meters(10), forecast: [] })),
    );
    await quota.getByText('Limit reached', { exact: true }).waitFor();
    await quota
      .getByText('AI images have run out. They reset on Dec 1, 2099. Standard images are still available.')
      .waitFor();
    await quota.getByText(`100 AI images per month for $${currentPlans.pro.price}.`).waitFor();
    await expect(quota.getByRole('link', { name: 'View plans' })).toHaveAttribute('href', '/pricing');
    await page.unrouteAll();
  });

  test('shows an error when data fails to load, and retries', async () => {
    await page.route(/\/api\/(dashboard\/stats|jobs)/, (route) => route.fulfill({ status: 503 }));
    await page.goto('/dashboard?tab=activity');
    const again = page.getByRole('tabpanel').getByRole('button', { name: 'Try again', exact: true });
    await again.waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBeGreaterThan(1);
    await expect(page.getByText('Images processed')).toHaveCount(0);
    await page.unrouteAll();
    await again.click();
    await card('late.png').waitFor();
    await stat('Images processed').getByText('13', { exact: true }).waitFor();
  });

  for (const [colorScheme, width] of [
    ['light', 1_280],
    ['dark', 1_280],
    ['light', 360],
  ] as const)
    test(`has no accessibility violations: ${colorScheme}, ${width} px`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      for (const [name, shown] of [
        ['images', card('late.png')],
        ['usage', page.getByRole('application')],
        ['units', page.getByRole('table')],
      ] as const) {
        await page.goto(`/dashboard?tab=activity&view=${name}`);
        await shown.waitFor();
        expect(await violations()).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
      }
    });

  test('shows free users their sandbox key and the API offer, and the key form after an upgrade', async () => {
    await page.setViewportSize({ width: 1_280, height: 900 });
    await page.goto('/dashboard?tab=api-keys');
    await page.getByRole('tab', { name: 'API Keys', selected: true }).waitFor();
    await page.getByRole('heading', { name: 'Free sandbox key' }).waitFor();
    await page.getByRole('heading', { name: 'Get live API keys' }).waitFor();
    expect(await violations()).toEqual([]);
    await site.db.updateTable('users').set({ tier: 'api_basic' }).where('email', '=', email).execute();
    await page.getByRole('textbox', { name: 'Name' }).waitFor({ timeout: 20_000 });
    await page.setViewportSize({ width: 360, height: 740 });
    const tabs = page.getByRole('tablist', { name: 'Dashboard' });
    expect(await tabs.evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1_280, height: 900 });
  });

  test('redirects to the sign-in page when the session ends', async () => {
    await page.goto('/dashboard?tab=activity');
    await card('late.png').waitFor();
    await site.db.deleteFrom('sessions').execute();
    await page.waitForURL((url) => url.pathname === '/auth');
    expect(new URL(page.url()).searchParams.get('next')).toBe('/dashboard?tab=activity');
  });
});
