import { expect, type Page } from '@playwright/test';
import { recordProbes } from '@uprez/testing/factories/record-probes';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin } from '../support/open-admin.ts';
import { waitForToast } from '../support/toasts.ts';

/** Texts of each screen: the field, and another value for it. */
const siteTexts = {
  'Site name': 'Larger Images',
  'Site description': 'Images become larger here.',
  'Contact email': 'contact@larger.example',
  'Support email': 'support@larger.example',
  'Company name': 'Larger Ltd.',
  'Company address': '1 Image Street',
  'Governing law': 'Delaware',
  'Support hours': 'Monday to Friday',
  'photo (USD per hour)': '2.35',
};
const seoTexts = {
  'Meta title': "Larger images & <b>more</b> for $& 'all'",
  'Meta description': 'Resize your images.',
  'Meta keywords': 'images, upscaling',
  'Open Graph title': 'Share larger images',
  'Open Graph description': 'A description for sharing.',
  'Open Graph image': 'https://images.example/card.png',
  'Twitter account': '@larger',
  'Google Analytics ID': 'G-AB12CD34EF',
  'Google Tag Manager ID': 'GTM-AB12CD3',
};

test.describe('settings of the site', () => {
  let admin: Admin;
  let page: Page;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    ({ page } = admin);
  });
  test.afterAll(() => admin?.close());

  const url = (path: string) => admin.product.url + path;
  const open = async (path: string, heading = 'Website Settings') => {
    await page.goto(path);
    await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  };
  const field = (name: string) => page.getByRole('textbox', { name, exact: true });
  const toggle = (name: string) => page.getByRole('switch', { name, exact: true });
  const save = async (toast: string) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await waitForToast(page, toast);
  };
  const fill = async (texts: Record<string, string>) => {
    for (const [name, value] of Object.entries(texts)) await field(name).fill(value);
  };
  const expectTexts = async (texts: Record<string, string>) => {
    for (const [name, value] of Object.entries(texts)) await expect(field(name)).toHaveValue(value);
  };
  const readTexts = async (texts: Record<string, string>) =>
    Object.fromEntries(
      await Promise.all(Object.keys(texts).map(async (name) => [name, await field(name).inputValue()] as const)),
    );
  /** Checks a form of settings on all screens. It stays open. */
  const checkForm = (path: string) =>
    checkScreens(page, url(path), () => page.getByRole('button', { name: 'Save', exact: true }).waitFor());
  const restoreInitial = async (name: string, heading: string) => {
    await open(`/admin/settings/history/${name}`, heading);
    const initial = page.getByRole('region', { name: 'Initial values', exact: true });
    await initial.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 0 restored', { exact: true }).first().waitFor();
  };

  test('saves and restores every general setting, and fits all screens', async () => {
    await open('/admin/settings');
    const before = await readTexts(siteTexts);
    await fill(siteTexts);
    await toggle('Allow registration').click();
    await page.getByRole('combobox', { name: 'Default plan' }).click();
    await page.getByRole('option', { name: 'Pro', exact: true }).click();
    await page.getByText('Unsaved changes', { exact: true }).waitFor();
    await save('Site settings updated successfully');
    await expect(page.getByText('Unsaved changes', { exact: true })).toHaveCount(0);
    await open('/admin/settings');
    await expectTexts(siteTexts);
    await expect(toggle('Allow registration')).not.toBeChecked();
    await expect(page.getByRole('combobox', { name: 'Default plan' })).toHaveText('Pro');
    await restoreInitial('site', 'History: General');
    const changes = page.getByRole('region', { name: 'Version 1', exact: true }).getByRole('listitem');
    for (const change of ['Allow registration: YesNo', 'Default plan: FreePro', 'Engine hour costs photo: $2.35'])
      await expect(changes.filter({ hasText: change })).toHaveCount(1);
    await checkScreens(page, url('/admin/settings/history/site'), () =>
      page.getByRole('region', { name: 'Initial values' }).waitFor(),
    );
    for (const path of ['/admin/settings/email', '/admin/settings']) await checkForm(path);
    await expectTexts(before);
    await expect(toggle('Allow registration')).toBeChecked();
  });

  test('shows visitors the maintenance page, and the status page', async ({ browser }) => {
    await recordProbes(admin.world.db, new Date(), { api: 'degraded' });
    const publish = async (path: string, data: object) => {
      const headers = { origin: admin.product.url };
      const response = await page.request.post(url(`/api/admin/status/incidents${path}`), { data, headers });
      expect(response.ok(), await response.text()).toBe(true);
      return (await response.json()) as { id: string };
    };
    const update = { text: 'Uploads take longer than usual.', notify: false };
    const incident = { title: 'Slow uploads', severity: 'minor', services: ['upload'], ...update };
    const { id } = await publish('', { ...incident, state: 'investigating' });
    await publish(`/${id}/updates`, { ...update, state: 'identified' });

    await open('/admin/settings');
    await field('Support hours').fill('Monday to Friday');
    await toggle('Maintenance mode').click();
    // What is invalid is named before the question.
    const name = await field('Site name').inputValue();
    await field('Site name').fill('');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect(field('Site name')).toHaveAccessibleDescription(/Site name is required/);
    await expect(field('Site name')).toBeFocused();
    await expect(page.getByRole('alertdialog')).toHaveCount(0);
    await field('Site name').fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn on maintenance mode' }).click();
    await page.getByText('Site settings updated successfully', { exact: true }).first().waitFor();
    await page.getByText('Maintenance mode is on.').waitFor();
    await expect.poll(async () => (await fetch(url('/pricing'))).status).toBe(503);
    const visitor = await (await browser.newContext()).newPage();
    await checkScreens(visitor, url('/pricing'), () => visitor.getByText('Support hours: Monday to Friday.').waitFor());
    await visitor.goto(url('/status'));
    await visitor.getByText('Degraded performance', { exact: true }).waitFor();
    await visitor.getByRole('region', { name: 'Active incidents' }).getByRole('link', { name: 'Slow uploads' }).click();
    await expect(visitor.getByRole('region', { name: 'Updates' }).getByRole('listitem')).toHaveCount(2);
    await visitor.reload();
    await visitor.getByRole('heading', { level: 1, name: 'Slow uploads' }).waitFor();
    await visitor.context().close();
    await page.goto('/pricing');
    await page.getByRole('link', { name: 'Admin', exact: true }).first().waitFor();
    await restoreInitial('site', 'History: General');
    await expect.poll(async () => (await fetch(url('/pricing'))).status).toBe(200);
  });

  test('saves and restores every SEO setting, with previews and effects, and fits all screens', async () => {
    const own = { headers: { origin: admin.product.url } };
    const stored = (await (await page.request.get('/api/admin/settings/site')).json()) as object;
    await page.request.put('/api/admin/settings/site', {
      ...own,
      data: { ...stored, siteUrl: 'https://larger.example/' },
    });
    await open('/admin/settings/seo');
    const before = await readTexts(seoTexts);
    await fill(seoTexts);
    await page.getByRole('combobox', { name: 'Twitter card' }).click();
    await page.getByRole('option', { name: 'Small image' }).click();
    const search = page.getByRole('figure', { name: 'Search result preview' });
    await search.getByText(seoTexts['Meta title']).waitFor();
    await search.getByText('https://larger.example', { exact: true }).waitFor();
    await page.getByText('19 characters. Search engines show about 160.').waitFor();
    const card = page.getByRole('figure', { name: 'Share card preview' });
    await card.getByText('Share larger images').waitFor();
    await card.getByText('Image from images.example').waitFor();
    await field('Open Graph image').fill(`${admin.product.url}/nothing.png`);
    await card.getByText("This image couldn't be loaded. Check its URL.").waitFor();
    await field('Open Graph image').fill(`${admin.product.url}/favicon.svg`);
    await expect(card.locator('img')).toHaveJSProperty('complete', true);
    await fill({ 'Open Graph image': seoTexts['Open Graph image'] });
    await save('SEO settings updated successfully');
    await open('/admin/settings/seo');
    await expectTexts(seoTexts);
    await page.goto('/');
    await expect(page).toHaveTitle(seoTexts['Meta title']);
    await expect(page.locator('title')).toHaveCount(1);
    await expect(page.locator('link[rel=canonical]')).toHaveCount(1);
    await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', 'Resize your images.');
    await page.goto('/pricing');
    await expect(page).toHaveTitle('Pricing - Uprez');
    await expect(page.locator('title')).toHaveCount(1);
    await restoreInitial('seo', 'History: SEO & Analytics');
    await restoreInitial('site', 'History: General');
    await checkForm('/admin/settings/seo');
    await expectTexts(before);
  });
});
