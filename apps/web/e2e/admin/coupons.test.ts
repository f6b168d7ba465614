import { expect, type Page } from '@playwright/test';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { settlePage } from '../support/settle-page.ts';

test.describe('administration of coupons', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
  });
  test.afterAll(() => admin?.close());

  const dialog = () => page.getByRole('dialog', { name: 'Create Coupon' });
  const open = () => page.getByRole('button', { name: 'Create Coupon', exact: true }).first().click();
  const submit = () => dialog().getByRole('button', { name: 'Create Coupon', exact: true }).click();

  test('names what is missing, and creates a coupon of 10 percent by default', async () => {
    await settlePage(page, `${admin.product.url}/admin/payments/coupons`);
    await page.getByText('No coupons yet', { exact: true }).waitFor();
    await open();
    await expect(dialog().getByRole('radio', { name: 'Percentage' })).toBeChecked();
    await expect(dialog().getByLabel('Discount (%)')).toHaveValue('10');
    await dialog().getByLabel('Code').fill('ab');
    await dialog().getByLabel('Discount (%)').fill('0');
    await submit();
    for (const error of [
      'Code must be at least 3 characters',
      'Discount value must be greater than 0',
      'Description is required',
    ])
      await dialog().getByText(error, { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await dialog().getByLabel('Code').fill('launch-10');
    await dialog().getByLabel('Discount (%)').fill('10');
    await dialog().getByLabel('Description').fill('Launch week');
    await submit();
    await page.getByText('Coupon created successfully', { exact: true }).waitFor();
    await expect(admin.row('LAUNCH-10')).toContainText('10% off one bill');
    await expect(admin.row('LAUNCH-10')).toContainText('Syncing with Stripe');
  });

  test('creates a fixed discount for months with limits, and names a code that is taken', async () => {
    await open();
    await dialog().getByLabel('Code').fill('LAUNCH-10');
    await dialog().getByRole('radio', { name: 'Fixed amount' }).check();
    await dialog().getByLabel('Discount (USD)').fill('2.5');
    await dialog().getByLabel('Description').fill('For API users');
    await dialog().getByRole('combobox', { name: 'Applies to' }).click();
    await page.getByRole('option', { name: 'A number of months' }).click();
    await dialog().getByLabel('Maximum uses').fill('5');
    await dialog().getByLabel('API Pro').check();
    await submit();
    await dialog().getByText('A coupon with this code already exists. Choose another code.').waitFor();
    await dialog().getByLabel('Code').fill('API-5');
    await submit();
    await expect(admin.row('API-5')).toContainText('$2.50 off for 3 months');
    await expect(admin.row('API-5')).toContainText('0 of 5');
    await expect(admin.row('API-5')).toContainText('API Pro');
  });

  test('shows one error when the server fails', async () => {
    await page.route('**/api/admin/payments/coupons', (route) =>
      route.request().method() === 'POST' ? route.fulfill({ status: 500, body: 'Down' }) : route.fallback(),
    );
    await open();
    await dialog().getByLabel('Code').fill('NEVER');
    await dialog().getByLabel('Description').fill('Never');
    await submit();
    await expect(page.getByText('Failed to create coupon', { exact: true })).toHaveCount(1);
    await expect(dialog().getByText('Failed to create coupon', { exact: true })).toBeVisible();
    await expect(dialog().getByLabel('Code')).toHaveValue('NEVER');
    await page.unroute('**/api/admin/payments/coupons');
    await page.keyboard.press('Escape');
    await expect(dialog()).toBeVisible();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  test('disables a coupon, shows its uses, and filters by search and status', async () => {
    await makeCoupon(admin.world.db, { code: 'OLD', expiresAt: new Date(0) });
    await page.reload();
    await admin.row('API-5').getByRole('button', { name: 'Actions for API-5' }).click();
    await page.getByRole('menuitem', { name: 'Disable coupon' }).click();
    await page.getByText('Coupon disabled', { exact: true }).waitFor();
    await expect(admin.row('API-5')).toContainText('Disabled');
    await admin.row('API-5').getByRole('button', { name: 'Actions for API-5' }).click();
    await page.getByRole('menuitem', { name: 'Show uses' }).click();
    await page.getByText('Not used yet', { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('searchbox', { name: 'Search by code or description' }).fill('launch');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await settlePage(page, `${admin.product.url}/admin/payments/coupons?status=expired`);
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await expect(admin.row('OLD')).toContainText('Expired');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [1_440, 360]) {
        await page.setViewportSize({ width, height: 800 });
        await settlePage(page, `${admin.product.url}/admin/payments/coupons`);
        expect(await page.evaluate(() => document.documentElement.scrollWidth), `${width}`).toBeLessThanOrEqual(width);
        expect(await findViolations(page), `${colorScheme} ${width}`).toEqual([]);
      }
    }
    await open();
    expect(await dialog().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await findViolations(page)).toEqual([]);
  });

  const waitForRows = (count: number) => expect(page.locator('tbody tr')).toHaveCount(count);
  const selectAll = () => page.getByRole('checkbox', { name: 'Select all rows' });
  const view = () => page.getByRole('button', { name: 'View', exact: true });

  test('loads more rows, and selects rows by key and all at once', async () => {
    await page.setViewportSize({ width: 1_440, height: 800 });
    for (let count = 0; count < 26; count += 1) await makeCoupon(admin.world.db);
    await page.goto('/admin/payments/coupons?rows=25');
    await waitForRows(25);
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await page.getByText('1 selected', { exact: true }).waitFor();
    await page.keyboard.press('x');
    await expect(page.getByText(/selected$/)).toHaveCount(0);
    await page.getByRole('button', { name: 'Load more' }).click();
    await waitForRows(29);
    await page.getByText('29 of 29', { exact: true }).waitFor();
    await selectAll().check();
    await page.getByText('29 selected', { exact: true }).waitFor();
    await selectAll().uncheck();
    await view().click();
    await page.getByRole('radio', { name: '100' }).check();
    await page.waitForURL('**/admin/payments/coupons?rows=100');
    await waitForRows(29);
  });

  test('sorts and selects on small screens, where tables have no header', async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto('/admin/payments/coupons');
    await waitForRows(29);
    await expect(page.getByRole('columnheader').locator(':is(button, input):visible')).toHaveCount(0);
    await selectAll().check();
    await page.getByText('29 selected', { exact: true }).waitFor();
    await view().click();
    await page.getByRole('combobox', { name: 'Sort by' }).click();
    await page.getByRole('option', { name: 'Created, ascending' }).click();
    await page.waitForURL('**/admin/payments/coupons?sort=created');
    await expect(page.locator('tbody tr').first()).toContainText('LAUNCH-10');
    expect(await findViolations(page)).toEqual([]);
  });
});
