import { readFile } from 'node:fs/promises';
import { expect, type Page } from '@playwright/test';
import type { Role } from '@uprez/contracts/policy/permissions';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';

const ada = 'ada@example.test';
const shop = '=1+1 <b>Shop</b>';
const monitor = '<i>Monitor</i>';

test.describe('security', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  let shopKey = '';

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const adaPage = await (await browser.newContext()).newPage();
    await admin.signUp(adaPage, ada);
    const { db } = admin.world;
    const paid = { firstName: '<b>Ada</b>', tier: 'api_pro', emailVerified: true } as const;
    await db.updateTable('users').set(paid).where('email', '=', ada).execute();
    const create = async (name: string) => {
      const request = { data: { name }, headers: { origin: admin.product.url } };
      return (await (await adaPage.request.post(`${admin.product.url}/api/api-keys`, request)).json()).key as string;
    };
    shopKey = await create(shop);
    await create('Old');
    await adaPage.context().close();
    const long = new Date(Date.now() - 90 * 86_400_000);
    await db.updateTable('apiKeys').set({ createdAt: long, usageCount: 7 }).where('name', '=', 'Old').execute();
  });
  test.afterAll(() => admin?.close());

  const open = async (path: string, heading: string) => {
    await page.goto(`/admin/security${path}`);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  };
  const waitForRows = async (texts: readonly string[]) => {
    const rows = page.locator('tbody').first().getByRole('row');
    await expect(rows).toHaveCount(texts.length);
    await expect(rows).toContainText([...texts]);
  };
  const choose = async (filter: string, option: string) => {
    await page.getByRole('combobox', { name: filter, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  const prove = async () => {
    const proof = page.getByRole('dialog', { name: "Confirm it's you" });
    await proof.getByLabel('Current password').fill(password);
    await proof.getByRole('button', { name: 'Confirm' }).click();
  };
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const download = async (name: string) => {
    const link = page.getByRole('link', { name, exact: true });
    const [file] = await Promise.all([page.waitForEvent('download'), link.click()]);
    return readFile(await file.path(), 'utf8');
  };
  const statusOf = async (key: string, path: string) =>
    (await fetch(`${admin.product.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
  const toggle = (name: string) => page.getByRole('switch', { name: `Active: ${name}`, exact: true });
  const setRole = (email: string, role: Role | null) =>
    admin.world.db.updateTable('users').set({ role }).where('email', '=', email).execute();

  test('creates a service key, shows it once, switches it, and deletes it', async () => {
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('button', { name: 'Security' }).click();
    await sidebar.getByRole('link', { name: 'API Keys' }).click();
    await button('Create service key').click();
    const dialog = page.getByRole('dialog', { name: 'Create service key' });
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Name is required', { exact: true }).waitFor();
    await dialog.getByLabel('Name').fill(monitor);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await prove();
    const secret = page.getByRole('dialog', { name: 'Save your API key' });
    await page.getByText('API key created successfully', { exact: true }).first().waitFor();
    expect(await findViolations(page)).toEqual([]);
    await secret.getByRole('button', { name: 'Copy key' }).click();
    await page.getByText('API key copied to clipboard', { exact: true }).first().waitFor();
    const key = await page.evaluate(() => navigator.clipboard.readText());
    await expect(secret.locator('code')).toHaveText(key);
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await secret.getByRole('button', { name: "I've saved this key" }).click();
    await secret.waitFor({ state: 'hidden' });
    expect(await page.content()).not.toContain(key);
    expect(await statusOf(key, '/v1/admin/stats')).toBe(200);
    const row = admin.row(monitor);
    await expect(row).toContainText('Service key');
    await toggle(monitor).click();
    await page.getByText('API key updated successfully', { exact: true }).first().waitFor();
    await expect(row).toContainText('Inactive');
    expect(await statusOf(key, '/v1/admin/stats')).toBe(401);
    await toggle(monitor).click();
    await expect.poll(() => statusOf(key, '/v1/admin/stats')).toBe(200);
    await button(`Actions for ${monitor}`).click();
    await page.getByRole('menuitem', { name: 'Delete key' }).click();
    const confirm = page.getByRole('alertdialog', { name: `Delete "${monitor}"?` });
    await expect(confirm.getByRole('button', { name: 'Delete key' })).toBeDisabled();
    await confirm.getByLabel(`Type ${monitor} to confirm`).fill(monitor);
    await confirm.getByRole('button', { name: 'Delete key' }).click();
    await confirm.waitFor({ state: 'hidden' });
    await waitForRows([shop, 'Old']);
    expect(await statusOf(key, '/v1/admin/stats')).toBe(401);
  });

  test('filters, sorts, and exports the keys of all accounts, and switches one off', async () => {
    await open('/api-keys', 'API Keys');
    await waitForRows([shop, 'Old']);
    await button('Usage (calls)').click();
    await waitForRows(['Old', shop]);
    await button('Last Used').click();
    await button('Created').click();
    await waitForRows([shop, 'Old']);
    await choose('Status', 'Unused for 60 days');
    await waitForRows(['Old']);
    await choose('Status', 'All statuses');
    await choose('Type', 'Service');
    await page.getByText('No matches', { exact: true }).waitFor();
    await button('Clear filters').click();
    await page.getByRole('searchbox', { name: 'Search keys and owners' }).fill('shop');
    await waitForRows([shop]);
    const rows = JSON.parse(await download('Export JSON'));
    expect(rows).toMatchObject([{ name: shop, kind: 'live', owner_email: ada, active: 'yes', calls: 0 }]);
    const [head, cells, rest] = (await download('Export CSV')).trim().split('\r\n');
    expect(head).toBe(Object.keys(rows[0]).join(','));
    expect([cells, rest]).toEqual([expect.stringContaining(`,'${shop},live,`), undefined]);
    expect(await statusOf(shopKey, '/v1/account')).toBe(200);
    await toggle(shop).click();
    await expect(admin.row(shop)).toContainText('Inactive');
    await expect.poll(() => statusOf(shopKey, '/v1/account')).toBe(401);
    // A key of an administrator above the own role: the switch returns, and the reason is shown.
    await Promise.all([setRole(ada, 'owner'), setRole(admin.email, 'admin')]);
    await toggle(shop).click();
    await page
      .getByText(/^Failed to update API key\. You can't change an administrator above/)
      .first()
      .waitFor();
    await expect(toggle(shop)).not.toBeChecked();
    await Promise.all([setRole(ada, null), setRole(admin.email, 'owner')]);
    await page.getByRole('link', { name: '<b>Ada</b>', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '<b>Ada</b>' }).waitFor();
  });

  test('shows what roles include, and changes the role of an administrator', async () => {
    await setRole(ada, 'viewer');
    await open('/permissions', 'Permissions');
    const matrix = page.getByRole('table', { name: 'Permissions of each role' });
    const credits = matrix.getByRole('row', { name: 'Grant credits' });
    await expect(credits).toContainText('Support100 credits per day');
    await expect(credits.getByRole('img', { name: 'Yes' })).toHaveCount(2);
    await expect(credits.getByRole('img', { name: 'No' })).toHaveCount(2);
    await choose('Role', 'Viewer');
    await waitForRows([ada]);
    await choose('Two-factor authentication', 'Two-factor on');
    await page.getByText('No matches', { exact: true }).waitFor();
    await button('Clear filters').click();
    await button('Joined').click();
    await waitForRows([ada, admin.email, 'admin@uprez.local']);
    const exported = JSON.parse(await download('Export JSON'));
    expect(exported).toMatchObject([{ email: ada, two_factor: 'no' }, { email: admin.email }, { last_seen: null }]);
    expect((await download('Export CSV')).trim().split('\r\n').length).toBe(4);
    await expect(button(`Actions for ${admin.email}`)).toHaveCount(0);
    await button(`Actions for ${ada}`).click();
    await page.getByRole('menuitem', { name: 'Change role' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the role of <b>Ada</b>' });
    await dialog.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Support' }).click();
    await dialog.getByLabel('Reason').fill('Answers mails');
    await setRole(ada, 'editor');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.getByText("This user's role was changed in the meantime.").waitFor();
    await dialog.getByText('Current role: Editor.').waitFor();
    await expect(dialog.getByLabel('Reason')).toHaveValue('Answers mails');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await expect(admin.row(ada)).toContainText('Support');
    await page.getByRole('link', { name: 'Invite' }).click();
    await page.waitForURL('**/admin/users/new');
  });

  test('saves every security setting, and recommends what is left to do', async ({ request }) => {
    await open('', 'Security Settings');
    const card = page.getByRole('region', { name: 'Recommendations' });
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const values = {
      'Session timeout (minutes)': '60',
      'Minimum password length': '14',
      'Max login attempts': '7',
      'Lockout duration (minutes)': '20',
      'Requests per minute': '90',
      'Allowed origins': 'https://shop.example\nhttp://old.example',
    };
    const defaults = ['480', '8', '5', '15', '60', ''];
    for (const [index, name] of Object.keys(values).entries())
      await expect(field(name)).toHaveValue(defaults[index] ?? '');
    await card.getByRole('button', { name: /as short as 8 characters/ }).click();
    await expect(field('Minimum password length')).toBeFocused();
    await field('Minimum password length').fill('5');
    await field('Allowed origins').fill('https://shop.example/');
    await button('Save').click();
    await page.getByText('Enter a whole number from 6 to 64.', { exact: true }).waitFor();
    await page.getByText('Each origin must be a URL such as https://example.com.', { exact: true }).waitFor();
    for (const [name, value] of Object.entries(values)) await field(name).fill(value);
    await page.getByRole('switch', { name: 'Rate limiting' }).click();
    await page.getByRole('switch', { name: 'Require two-factor authentication' }).click();
    await page.getByText("You don't use two-factor authentication.").waitFor();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await button('Save').click();
    const reason = 'Turn on two-factor authentication for your own account before you require it.';
    await page.getByText(reason, { exact: true }).waitFor();
    // This account uses it from now on. Otherwise, it would be locked out.
    await admin.world.db
      .updateTable('users')
      .set({ twoFactorAt: new Date() })
      .where('email', '=', admin.email)
      .execute();
    await button('Save').click();
    await page.getByText('Security settings updated successfully', { exact: true }).first().waitFor();
    await card.getByText('Rate limits are off.', { exact: true }).waitFor();
    await card.getByText('1 allowed origin uses http. Use https.', { exact: true }).waitFor();
    await expect(card.getByText(/as short as|isn't required/)).toHaveCount(0);
    const origin = admin.product.url;
    const data = { email: 'short@example.test', password: 'thirteen char', firstName: 'Short' };
    expect((await request.post(`${origin}/api/register`, { data, headers: { origin } })).status()).toBe(422);
    await page.reload();
    for (const [name, value] of Object.entries(values)) await expect(field(name)).toHaveValue(value);
    await expect(page.getByRole('switch', { name: 'Rate limiting' })).not.toBeChecked();
    await expect(page.getByRole('switch', { name: 'Require two-factor authentication' })).toBeChecked();
    const setTwoFactor = (twoFactorAt: Date | null) =>
      admin.world.db.updateTable('users').set({ twoFactorAt }).where('email', '=', admin.email).execute();
    await setTwoFactor(null);
    await page.goto(`${admin.product.url}/admin/users`);
    await page.getByRole('heading', { level: 1, name: 'Two-factor authentication required' }).waitFor();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole('link', { name: 'Set up two-factor authentication' }).click();
    await expect(page.getByRole('heading', { name: 'Two-factor authentication', exact: true })).toBeFocused();
    await setTwoFactor(new Date());
    await open('', 'Security Settings');
    await page.getByRole('link', { name: 'View history' }).click();
    await page.getByRole('region', { name: 'Version 1', exact: true }).getByText('Min password length').waitFor();
    await page.getByRole('link', { name: 'Back to settings' }).click();
    await card.getByRole('link', { name: /1 API key is active, but unused/ }).click();
    await waitForRows(['Old']);
    await page.getByRole('navigation', { name: 'Security' }).getByRole('link', { name: 'Access Logs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Access Logs' }).waitFor();
    await page.getByRole('link', { name: 'Security Settings' }).last().click();
    await card.getByRole('link', { name: /2 administrators don't use two-factor/ }).click();
    await waitForRows([ada, 'admin@uprez.local']);
  });

  test('says that settings were not saved, and that a key was not created', async () => {
    await open('', 'Security Settings');
    await page.route('**/api/admin/**', (route) =>
      route.request().method() === 'GET' ? route.fallback() : route.abort(),
    );
    await page.getByRole('textbox', { name: 'Max login attempts', exact: true }).fill('8');
    await button('Save').click();
    await page.getByText('Failed to update security settings', { exact: true }).first().waitFor();
    await button('Discard changes').click();
    await open('/api-keys', 'API Keys');
    await button('Create service key').click();
    const dialog = page.getByRole('dialog', { name: 'Create service key' });
    await dialog.getByLabel('Name').fill(monitor);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    await dialog.getByText('Failed to create API key', { exact: true }).waitFor();
    await expect(page.getByText('Failed to create API key', { exact: true })).toHaveCount(1);
    await page.unroute('**/api/admin/**');
  });

  const readyTexts = { '': 'Minimum password length', '/api-keys': 'Old', '/permissions': ada };
  for (const [path, text] of Object.entries(readyTexts))
    test(`/admin/security${path} fits all screens`, async () => {
      const ready = () => page.getByText(text).first().waitFor();
      await checkScreens(page, `${admin.product.url}/admin/security${path}`, ready);
    });
});
