import { expect, type Page } from '@playwright/test';
import { makeCoupon } from '@uprez/testing/billing/make-coupon';
import { checkScreens } from '../support/check-screens.ts';
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

  test('fits all screens in both themes, with its dialog', async () => {
    const { db } = admin.world;
    await settlePage(page, `${admin.product.url}/admin/payments/coupons`);
    await page.getByText('No coupons yet', { exact: true }).waitFor();
    await open();
    await dialog().getByLabel('Discount (%)').fill('0');
    await submit();
    await dialog().getByText('Discount value must be greater than 0', { exact: true }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await makeCoupon(db, { code: 'OLD', expiresAt: new Date(0) });
    await makeCoupon(db, { code: 'API-5', amount: 250, tiers: ['api_pro'], disabledAt: new Date() });
    await checkScreens(page, `${admin.product.url}/admin/payments/coupons`, () => admin.row('API-5').waitFor());
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 360, height: 800 });
    await open();
    expect(await dialog().evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    expect(await findViolations(page)).toEqual([]);
  });

  const waitForRows = (count: number) => expect(page.locator('tbody tr')).toHaveCount(count);
  const selectAll = () => page.getByRole('checkbox', { name: 'Select all rows' });
  const view = () => page.getByRole('button', { name: 'View', exact: true });

  test('loads more rows, and selects rows by key and all at once', async () => {
    await page.setViewportSize({ width: 1_440, height: 800 });
    for (let count = 0; count < 27; count += 1) await makeCoupon(admin.world.db);
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
    await expect(page.locator('tbody tr').first()).toContainText('OLD');
    expect(await findViolations(page)).toEqual([]);
  });
});
