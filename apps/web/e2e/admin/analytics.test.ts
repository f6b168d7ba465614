import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import { sql } from 'kysely';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';

const user = 'ada@example.test';

test.describe('analytics', () => {
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const other = await (await browser.newContext()).newPage();
    await admin.signUp(other, user);
    await other.context().close();
    const plan = JSON.stringify({ engine: 'photo', output: { width: 8, height: 8 } });
    for (const [ms, error] of [
      [1_000, null],
      [2_000, null],
      [1_500, 'corrupt_image'],
    ] as const)
      await sql`
        insert into jobs (id, account_id, kind, surface, status, recipe, plan, filename, source_bytes, error_code,
          estimated_seconds, created_at, started_at, finished_at, used_seconds)
        select gen_random_uuid(), id, 'image', 'api', ${error ? 'failed' : 'expired'}, '{}', ${plan}::jsonb, 'photo.png', 9,
          ${error}::text, 1, now() - interval '5 seconds', now() - make_interval(secs => ${ms / 1_000}), now(), 1800
        from users where email = ${user}`.execute(admin.world.db);
  });
  test.afterAll(() => admin?.close());

  const open = async (path: string, title: string) => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  };
  const card = (label: string) =>
    page
      .locator('dl > div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator('dd');
  const download = async (name: string) => {
    await page.getByRole('button', { name: 'Export Report' }).click();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
    await page.keyboard.press('Escape');
    return readFile(await file.path(), 'utf8');
  };

  test('shows the totals with their formulas, charts, and tables, and prints only the report', async () => {
    await open('/admin/analytics', 'Analytics');
    // The product has an administrator of its own.
    await expect.poll(() => card('Total Users').first().textContent()).toBe('3');
    await expect(card('Monthly Revenue').first()).toHaveText('$0');
    await expect(card('Images Processed')).toHaveText([
      '2',
      'Previous period: 0 (-)',
      'Images delivered in the period.',
    ]);
    await expect(card('Avg Processing Time').first()).toHaveText('1.5 s');
    await expect(card('Avg Processing Time').nth(1)).toHaveText(/^Median \d.*, p95 \d/);

    await test.step('moves through a chart with the keyboard', async () => {
      const chart = page.getByRole('application').first();
      await chart.focus();
      await page.keyboard.press('ArrowRight');
      await page
        .locator('.recharts-tooltip-wrapper')
        .first()
        .getByText(/Delivered/)
        .waitFor();
    });

    await test.step('prints the tables of charts', async () => {
      await page.evaluate(() => {
        window.print = () => document.body.setAttribute('data-printed', '');
      });
      await page.getByRole('button', { name: 'Export Report' }).click();
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Print or save as PDF' }).click();
      await page.locator('body[data-printed]').waitFor();
      await page.keyboard.press('Escape');
      await page.emulateMedia({ media: 'print' });
      await expect.poll(() => page.getByRole('navigation').filter({ visible: true }).count()).toBe(0);
      await expect(page.getByRole('button', { name: 'Export Report' })).not.toBeVisible();
      await card('Total Users').first().waitFor();
      await page.getByRole('table', { name: 'Images per day' }).waitFor();
      await expect(page.locator('.recharts-surface').first()).not.toBeVisible();
      await page.emulateMedia({ media: null });
    });

    await test.step('shows every chart as a table', async () => {
      for (const [tab, charts] of [
        ['Overview', ['Images per day', 'Users at the end of each day']],
        ['Users', ['New and verified users per day', 'Active users per day']],
        ['Revenue', ['MRR at the end of each day', 'Payments and refunds per day']],
      ] as const) {
        await page.getByRole('tab', { name: tab }).click();
        for (const name of charts) {
          await page
            .getByRole('group', { name: `Show as: ${name}` })
            .getByRole('radio', { name: 'Table' })
            .check();
          // The same 30 days as the chart, and the header.
          if (tab !== 'Revenue') await expect(page.getByRole('table', { name }).getByRole('row')).toHaveCount(31);
        }
        if (tab === 'Users') await expect(card('New Users').first()).toHaveText('3');
        expect(await findViolations(page)).toEqual([]);
      }
      await expect.poll(() => card('Active Subscriptions').first().textContent()).toBe('0');
      await page.getByRole('row', { name: 'End $0 MRR at the end of the period.' }).waitFor();
    });

    for (const [query, label] of [
      ['', 'Total Users'],
      ['?tab=revenue', 'ARPU'],
      ['?tab=users', 'New Users'],
    ] as const)
      await checkScreens(page, `${admin.product.url}/admin/analytics${query}`, () => card(label).first().waitFor());
  });

  test('shows reports, and the cost per image after a price was entered, and exports them', async () => {
    await open('/admin/analytics/reports', 'Reports');
    await expect.poll(() => card('Success Rate').first().textContent()).toBe('66.7%');
    await expect(card('Cost per Image').first()).toHaveText('-');
    await page.getByRole('row', { name: /^photo 2 1 66.7% 3/ }).waitFor();
    await page.getByRole('row', { name: 'corrupt_image photo 1 0' }).waitFor();
    const failure = page.getByRole('link', { name: 'corrupt_image' });
    await failure.click();
    await page.waitForURL(/\/admin\/jobs\?view=ended&from=[\d-]+&to=[\d-]+&engine=photo&error=corrupt_image#list$/);
    await admin.row('photo.png').waitFor();
    await expect(page.getByLabel('Finished from')).toHaveValue(/^\d{4}-\d{2}-\d{2}$/);
    await page.goBack();
    expect(await download('Failures as CSV')).toContain('corrupt_image,photo,1,0');
    await checkScreens(page, `${admin.product.url}/admin/analytics/reports`, () =>
      card('Success Rate').first().waitFor(),
    );
    await page.getByRole('link', { name: 'Set the price per engine hour' }).click();
    await page.getByLabel('photo (USD per hour)').fill('2.50');
    await Promise.all([
      page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok()),
      page.getByRole('button', { name: 'Save', exact: true }).click(),
    ]);
    // Settings are cached for a second.
    await expect
      .poll(async () => {
        await open('/admin/analytics/reports', 'Reports');
        return card('Cost per Image').first().textContent();
      })
      .toBe('$1.88');
    await expect(card('Engine Cost').first()).toHaveText('$3.75');
    await expect(page.getByRole('link', { name: 'Set the price per engine hour' })).toHaveCount(0);
    expect(JSON.parse(await download('Engines as JSON'))).toMatchObject([
      { engine: 'photo', completed: 2, failed: 1, hour_price: 2.5, cost_per_image: 1.875 },
    ]);
  });

  test('shows usage and top accounts, which lead to the user', async () => {
    await open('/admin/analytics/usage', 'Usage Stats');
    await expect.poll(() => card('API Images').first().textContent()).toBe('2');
    await page.getByRole('row', { name: 'Free 2 0 2 1 0' }).waitFor();
    expect(await download('Top accounts as CSV')).toContain(user);
    await checkScreens(page, `${admin.product.url}/admin/analytics/usage`, () => admin.row(user).waitFor());
    await admin.row(user).getByRole('link').click();
    await page.waitForURL(/\/admin\/users\/[\da-f-]{36}/);
  });
});
