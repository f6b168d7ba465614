import { expect, type Page } from '@playwright/test';
import { openMailCatcher } from '@uprez/testing/mail';
import { checkScreens } from '../support/check-screens.ts';
import { test } from '../support/fixtures.ts';
import { type Admin, openAdmin, password } from '../support/open-admin.ts';
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
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  let mail: Awaited<ReturnType<typeof openMailCatcher>>;

  test.beforeAll(async ({ browser }) => {
    [admin, mail] = await Promise.all([openAdmin(browser), openMailCatcher()]);
    ({ page } = admin);
  });
  test.afterAll(async () => {
    await admin?.close();
    await mail?.close();
  });

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
  const restoreInitial = async (name: string, heading: string) => {
    await open(`/admin/settings/history/${name}`, heading);
    const initial = page.getByRole('region', { name: 'Initial values', exact: true });
    await initial.getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 0 restored', { exact: true }).first().waitFor();
  };

  test('saves and restores every general setting', async () => {
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
    await open('/admin/settings');
    await expectTexts(before);
    await expect(toggle('Allow registration')).toBeChecked();
  });

  test('shows visitors the maintenance page', async ({ browser }) => {
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
    const visitor = await (await browser.newContext()).newPage();
    await checkScreens(visitor, `${admin.product.url}/pricing`, () =>
      visitor.getByText('Support hours: Monday to Friday.').waitFor(),
    );
    await visitor.context().close();
    await page.goto('/pricing');
    await page.getByRole('link', { name: 'Admin', exact: true }).first().waitFor();
    await restoreInitial('site', 'History: General');
  });

  test('saves and restores every SEO setting, with previews and effects', async () => {
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
    await open('/admin/settings/seo');
    await expectTexts(before);
  });

  test('sends test mails with unsaved values, then saves, keeps, and removes the password', async () => {
    await open('/admin/settings/email');
    const server = { 'SMTP host': mail.env.SMTP_HOST, 'SMTP port': String(mail.env.SMTP_PORT) };
    await fill({ ...server, 'SMTP user': mail.env.SMTP_USER, 'From name': 'Larger Images' });
    await page.getByLabel('SMTP password', { exact: true }).fill('a wrong one');
    await toggle('Require TLS').setChecked(false);
    const confirm = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Send test mail' }).click();
    await confirm.getByLabel('Current password').fill(password);
    await confirm.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText(/^The email wasn't sent\. 535/).waitFor();
    await page.getByLabel('SMTP password', { exact: true }).fill(mail.env.SMTP_PASSWORD);
    await page.getByRole('button', { name: 'Send test mail' }).click();
    await page.getByText(`The mail server accepted the email to ${admin.email}: 250`).waitFor();
    for (const name of ['Welcome emails', 'Notification emails']) await toggle(name).setChecked(false);
    await save('Email settings updated successfully');
    await open('/admin/settings/email');
    await expectTexts({ ...server, 'From name': 'Larger Images' });
    await expect(page.getByLabel('SMTP password', { exact: true })).toHaveValue('');
    for (const name of ['Require TLS', 'Welcome emails', 'Notification emails'])
      await expect(toggle(name)).not.toBeChecked();
    await page.getByRole('button', { name: 'Send test mail' }).click();
    await page.getByText(`The mail server accepted the email to ${admin.email}: 250`).waitFor();
    await page.getByRole('checkbox', { name: 'Remove the saved password' }).check();
    await save('Email settings updated successfully');
    await page.getByText('No password is saved.').waitFor();
    await restoreInitial('email', 'History: Email Settings');
    await open('/admin/settings/email');
    await expect(field('SMTP host')).toHaveValue('');
    await expect(toggle('Welcome emails')).toBeChecked();
  });

  test('shows authors and changes in the history, and secrets only as changed', async () => {
    await open('/admin/settings/history/email', 'History: Email Settings');
    const first = page.getByRole('region', { name: 'Version 1', exact: true });
    await first.getByText(admin.email).waitFor();
    await first.getByRole('listitem').getByText('SMTP password: Changed').waitFor();
    expect(await page.content()).not.toContain(mail.env.SMTP_PASSWORD);
  });

  test('requires an SMTP password, or the choice to save without one', async () => {
    for (const table of ['settingsVersions', 'settings'] as const)
      await admin.world.db.deleteFrom(table).where('name', '=', 'email').execute();
    await open('/admin/settings/email');
    await fill({ 'SMTP host': 'relay.example', 'SMTP user': 'relay' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Failed to update email settings', { exact: true }).first().waitFor();
    const smtpPassword = page.getByLabel('SMTP password', { exact: true });
    await expect(smtpPassword).toHaveAccessibleDescription(/SMTP password is required/);
    await page.getByRole('checkbox', { name: 'Save without a password' }).check();
    await save('Email settings updated successfully');
    await open('/admin/settings/email');
    await field('From name').fill('Relay');
    await save('Email settings updated successfully');
    await open('/admin/settings/email');
    await expectTexts({ 'SMTP host': 'relay.example', 'From name': 'Relay' });
  });

  test('asks for the SMTP password of a restored server', async () => {
    await field('SMTP host').fill('other.example');
    await page.getByLabel('SMTP password', { exact: true }).fill('the password');
    await save('Email settings updated successfully');
    await open('/admin/settings/history/email', 'History: Email Settings');
    await page.getByRole('region', { name: 'Version 2', exact: true }).getByRole('button', { name: 'Restore' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Restore' }).click();
    const dialog = page.getByRole('dialog', { name: 'Restore version 2?' });
    await dialog.getByLabel('SMTP password').fill('the former password');
    await dialog.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 2 restored').first().waitFor();
  });

  for (const path of ['', '/seo', '/email', '/history/site'])
    test(`/admin/settings${path} fits all screens`, async () => {
      const ready = () =>
        path === '/history/site'
          ? page.getByRole('region', { name: 'Initial values' }).waitFor()
          : page.getByRole('button', { name: 'Save', exact: true }).waitFor();
      await checkScreens(page, `${admin.product.url}/admin/settings${path}`, ready);
    });
});
