import { expect, type Page } from '@playwright/test';
import { checkScreens } from '../support/check-screens.ts';
import { findViolations } from '../support/find-violations.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { waitForToast } from '../support/toasts.ts';

const ada = 'ada@example.test';
const shop = '=1+1 <b>Shop</b>';
const monitor = '<i>Monitor</i>';

test.describe('security', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const adaPage = await (await browser.newContext()).newPage();
    await admin.signUp(adaPage, ada);
    const { db } = admin.world;
    const paid = { firstName: '<b>Ada</b>', tier: 'api_pro', emailVerified: true, role: 'support' } as const;
    await db.updateTable('sessions').set({ steppedUpAt: new Date() }).execute();
    await db.updateTable('users').set(paid).where('email', '=', ada).execute();
    const create = async (name: string) => {
      const request = { data: { name }, headers: { origin: admin.product.url } };
      expect((await adaPage.request.post(`${admin.product.url}/api/api-keys`, request)).ok()).toBe(true);
    };
    await create(shop);
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
  const button = (name: string) => page.getByRole('button', { name, exact: true });

  test('copies the key of a new service key from a dialog without violations', async () => {
    await page.goto('/admin');
    const sidebar = page.getByRole('navigation', { name: 'Admin Panel' });
    await sidebar.getByRole('button', { name: 'Security' }).click();
    await sidebar.getByRole('link', { name: 'API Keys' }).click();
    await button('Create service key').click();
    const dialog = page.getByRole('dialog', { name: 'Create service key' });
    await dialog.getByLabel('Name').fill(monitor);
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const secret = page.getByRole('dialog', { name: 'Save your API key' });
    await secret.waitFor();
    expect(await findViolations(page)).toEqual([]);
    await secret.getByRole('button', { name: 'Copy key' }).click();
    await waitForToast(page, 'API key copied to clipboard');
    const key = await page.evaluate(() => navigator.clipboard.readText());
    await expect(secret.locator('code')).toHaveText(key);
    await page.mouse.click(5, 5);
    await secret.getByRole('button', { name: "I've saved this key" }).click();
    await secret.waitFor({ state: 'hidden' });
    await admin.world.db.deleteFrom('apiKeys').where('name', '=', monitor).execute();
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

  test('fits all screens', async () => {
    for (const [path, text] of Object.entries({
      '': 'Minimum password length',
      '/api-keys': 'Old',
      '/permissions': ada,
    }))
      await checkScreens(page, `${admin.product.url}/admin/security${path}`, () =>
        page.getByText(text).first().waitFor(),
      );
  });
});
