import { expect, type Locator, type Page } from '@playwright/test';
import type { Role } from '@uprez/contracts/policy/permissions';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { waitForToast } from '../support/toasts.ts';

const ada = 'ada@example.test';

test.describe('worker pools', () => {
  let admin: Admin;
  let page: Page;
  let adaId = '';

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    const adaPage = await (await browser.newContext()).newPage();
    await admin.signUp(adaPage, ada);
    await adaPage.context().close();
    const users = admin.world.db.selectFrom('users').select('id').where('email', '=', ada);
    adaId = (await users.executeTakeFirstOrThrow()).id;
  });
  test.afterAll(() => admin?.close());

  const setRole = (role: Role) =>
    admin.world.db.updateTable('users').set({ role }).where('email', '=', admin.email).execute();
  const button = (name: string, within: Page | Locator = page) => within.getByRole('button', { name, exact: true });
  const toast = (text: string) => waitForToast(page, text);
  const pool = (name: string) => page.getByRole('listitem').filter({ has: button(`Edit ${name}`) });

  test('are created, given plans and accounts, changed, and deleted', async () => {
    await setRole('owner');
    await page.goto('/admin/jobs');
    await page.getByText('No pools. All workers process the images of all accounts.').waitFor();
    await button('New pool').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Gold!');
    await button('Save pool', dialog).click();
    await dialog.getByText('Use 1 to 40 lowercase letters, digits, and hyphens, but not "shared".').waitFor();
    await dialog.getByLabel('Name').fill('gold');
    await dialog.getByLabel('Enterprise').check();
    await dialog.getByLabel('Reason').fill('Sold to <b>Ada</b>');
    expect(await findViolations(page)).toEqual([]);
    await button('Save pool', dialog).click();
    await toast('Pool saved');
    await pool('gold').getByText('No live worker', { exact: true }).waitFor();
    await pool('gold').getByText('Enterprise', { exact: true }).waitFor();

    await page.goto(`/admin/users/${adaId}`);
    await page.getByText('Shared workers', { exact: true }).waitFor();
    await button('Assign pool').click();
    await dialog.getByRole('combobox', { name: 'Worker pool' }).click();
    await page.getByRole('option', { name: 'gold' }).click();
    await button('Assign pool', dialog).click();
    await page.getByText('gold (assigned)', { exact: true }).waitFor();

    // No process repeats its sign.
    const lastSignAt = new Date('2100-01-01T00:00:00Z');
    const worker = {
      id: 'w-1',
      name: 'gold-1',
      pool: 'gold',
      engines: ['standard'],
      device: 'cpu',
      slots: 4,
      lastSignAt,
    };
    await admin.world.db.insertInto('workers').values(worker).execute();
    await page.goto('/admin/jobs');
    await pool('gold').getByText('1 live worker', { exact: true }).waitFor();
    await expect(pool('gold').getByRole('link')).toHaveAttribute('href', `/admin/users/${adaId}`);
    await checkScreens(page, page.url(), () => pool('gold').waitFor());
    await button('Edit gold').click();
    await dialog.getByRole('combobox', { name: 'Shared workers help' }).click();
    await page.getByRole('option', { name: 'While no slot is free' }).click();
    await button('Save pool', dialog).click();
    await pool('gold').getByText('While no slot is free', { exact: true }).waitFor();
    await button('New pool').click();
    await dialog.getByLabel('Name').fill('silver');
    await dialog.getByLabel('Enterprise').check();
    await dialog.getByText('Enterprise moves here from gold.').waitFor();
    await button('Cancel', dialog).click();

    await page.goto('/admin/audit?group=pool');
    await page.getByText('Change worker pool', { exact: true }).first().waitFor();
    await setRole('support');
    await page.goto('/admin/jobs');
    await page.getByText('1 live worker', { exact: true }).waitFor();
    await expect(page.getByRole('button', { name: /^(New pool|Edit|Delete)/ })).toHaveCount(0);
    await page.goto(`/admin/users/${adaId}`);
    await page.getByText('gold (assigned)', { exact: true }).waitFor();
    await expect(button('Assign pool')).toHaveCount(0);

    await setRole('owner');
    await page.goto('/admin/jobs');
    await button('Delete gold').click();
    await button('Delete pool', page.getByRole('alertdialog')).click();
    await toast('Pool deleted');
    await page.getByText('No pools. All workers process the images of all accounts.').waitFor();
    await page.goto(`/admin/users/${adaId}`);
    await page.getByText('Shared workers', { exact: true }).waitFor();
  });
});
