// cspell:ignore metdata qzxwvk QZXWVK receve webh webho webhoks zebar
import { expect, type Page } from '@playwright/test';
import { makeHelp } from '@uprez/testing/make-help';
import { checkScreens } from './support/check-screens.ts';
import { test } from './support/fixtures.ts';
import { type Admin, openAdmin } from './support/open-admin.ts';
import { settlePage } from './support/settle-page.ts';

test.describe('help and pages', () => {
  test.describe.configure({ mode: 'serial' });
  let admin: Admin;
  let page: Page;
  const url = (path: string) => admin.product.url + path;

  test.beforeAll(async ({ browser }) => {
    admin = await openAdmin(browser);
    await makeHelp(admin.world.db);
    page = await (await browser.newContext({ baseURL: admin.product.url })).newPage();
  });
  test.afterAll(async () => {
    await page?.context().close();
    await admin?.close();
  });

  test('shows questions and popular articles in tabs that the keyboard can change', async () => {
    await settlePage(page, url('/'));
    await page.getByRole('navigation', { name: 'Footer' }).getByRole('link', { name: 'Help Center' }).click();
    await page.getByRole('heading', { level: 1, name: 'Help Center' }).waitFor();
    await expect(page.getByRole('heading', { level: 2 })).toHaveText([
      'Getting Started',
      'API & Integration',
      'Billing & Plans',
      'Technical Support',
      'Still Need Help?',
    ]);
    const question = page.getByRole('group').filter({ hasText: 'How much do the plans cost?' });
    await page.locator('summary').filter({ hasText: 'How much do the plans cost?' }).focus();
    await page.keyboard.press('Enter');
    await expect(question.getByRole('row').filter({ hasText: 'API Pro' })).toContainText('$49');
    await page.getByRole('tab', { name: 'Frequently Asked Questions' }).focus();
    await page.keyboard.press('ArrowRight');
    await expect(page.getByRole('tab', { name: 'Popular Articles' })).toBeFocused();
    await expect(page).toHaveURL(/\?tab=popular$/);
    await expect(page.getByRole('list', { name: 'Popular Articles' }).getByRole('listitem')).toHaveCount(6);
    await page.getByRole('link', { name: 'Choose an engine' }).click();
    await page.waitForURL('**/help-center/choose-an-engine');
    await expect(page).toHaveTitle('Choose an engine - Uprez');
    await page.getByText('Getting Started').waitFor();
  });

  test('counts a vote', async () => {
    await page.getByRole('group', { name: 'Did this help?' }).getByRole('button', { name: 'Yes' }).click();
    await page.getByText('Thanks for your feedback.').waitFor();
    await expect(page.getByRole('button', { name: 'Yes' })).toHaveCount(0);
    const votes = await admin.world.db.selectFrom('articleVotes').select(['yes', 'no']).execute();
    expect(votes).toEqual([{ yes: 1, no: 0 }]);
  });

  test('searches, marks matches, and suggests corrections', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Help Center', exact: true }).click();
    const field = page.getByRole('searchbox', { name: 'Search the help center' });
    await field.fill('metdata');
    await page.getByText('Did you mean').waitFor();
    await page.getByRole('link', { name: 'metadata?' }).click();
    await page.waitForURL('**/help-center?search=metadata');
    await expect(field).toHaveValue('metadata');
    await expect(page.getByText('Did you mean')).toHaveCount(0);
    await expect(page.locator('mark').filter({ hasText: 'metadata' }).first()).toBeVisible();
    await field.fill('qzxwvk');
    await page.getByText('No results', { exact: true }).first().waitFor();
    await field.fill('');
    await page.getByRole('heading', { level: 2, name: 'Getting Started' }).waitFor();
  });

  test('is readable and searchable without JavaScript', async ({ browser }) => {
    const context = await browser.newContext({ baseURL: admin.product.url, javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto('/help-center');
    await expect(plain.getByRole('heading', { level: 3 })).toHaveCount(22);
    const facts = await plain.locator('script[type="application/ld+json"]').allTextContents();
    const faq = facts.map((text) => JSON.parse(text)).find((one) => one['@type'] === 'FAQPage');
    expect(faq.mainEntity).toHaveLength(16);
    expect(faq.mainEntity[0]).toMatchObject({ '@type': 'Question', acceptedAnswer: { '@type': 'Answer' } });
    await plain.getByLabel('Search').fill('metdata');
    await plain.getByRole('button', { name: 'Search' }).click();
    await plain.getByRole('link', { name: 'metadata', exact: true }).waitFor();
    await expect(plain.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    await plain.getByRole('link', { name: 'Is the metadata of my images kept?' }).click();
    await plain.getByRole('heading', { level: 1, name: 'Is the metadata of my images kept?' }).waitFor();
    for (const [path, text] of [
      ['/about', 'Our mission'],
      ['/careers', 'We have no open positions right now.'],
      ['/privacy-policy', 'under 13'],
      ['/terms-of-service', 'Last updated'],
    ] as const) {
      await plain.goto(path);
      await plain.getByText(text).first().waitFor();
    }
    expect((await plain.goto('/help-center/unknown'))?.status()).toBe(404);
    expect((await plain.goto('/careers/backend-engineer'))?.status()).toBe(404);
    await context.close();
  });

  test('has careers without roles, and with one', async () => {
    await settlePage(page, url('/careers'));
    await page.getByText('We have no open positions right now.').waitFor();
    await expect(page.getByRole('main').getByRole('heading')).toHaveText(['Careers']);
    expect(
      (await page.getByRole('main').getByRole('paragraph').allTextContents()).join(' ').match(/[.](?=\s|$)/g),
    ).toHaveLength(3);
    const list = await admin.page.request.get(url('/api/admin/articles?kind=position'));
    const [first] = (await list.json()) as { id: string }[];
    const read = await admin.page.request.get(url(`/api/admin/articles/${first?.id}`));
    const { version } = (await read.json()) as { version: number };
    const published = await admin.page.request.post(url(`/api/admin/articles/${first?.id}/publish`), {
      data: { version },
      headers: { origin: admin.product.url },
    });
    expect(published.ok(), await published.text()).toBe(true);
    await settlePage(page, url('/careers'));
    await page.getByRole('link', { name: 'Backend Engineer' }).click();
    await page.waitForURL('**/careers/backend-engineer');
    await expect(page.getByRole('link', { name: 'Apply by email' })).toHaveAttribute(
      'href',
      /^mailto:.+\?subject=Application%3A%20Backend%20Engineer$/,
    );
  });

  for (const [path, text] of [
    ['/help-center', 'Still Need Help?'],
    ['/help-center/choose-an-engine', 'Did this help?'],
    ['/careers', 'Backend Engineer'],
    ['/about', 'Our vision'],
  ] as const)
    test(`${path} fits all screens`, () => checkScreens(page, url(path), () => page.getByText(text).first().waitFor()));
});
