import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { findViolations } from './support/find-violations.ts';
import { type Site, test } from './support/fixtures.ts';
import { textsOfCaches } from './support/texts-of-caches.ts';

const email = `${randomUUID()}@example.test`;
const tab = '/dashboard?tab=api-keys';

test.describe('image URLs', () => {
  test.describe.configure({ mode: 'serial' });
  let site: Site;
  let page: Page;
  test.beforeAll(async ({ site: started, browser }) => {
    site = started;
    page = await (await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: site.url })).newPage();
    const account = { email, password: 'six feet under', firstName: 'Grace' };
    await page.request.post(`${site.url}/api/register`, { data: account, headers: { origin: site.url } });
  });
  test.afterAll(() => page?.context().close());

  const update = (tier: 'free' | 'api_basic') =>
    site.db.updateTable('users').set({ tier, emailVerified: true }).where('email', '=', email).execute();
  const card = () => page.getByRole('region', { name: 'Image URLs', exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const takeSecret = async () => {
    const panel = page.getByRole('dialog', { name: 'Save your secret' });
    const shown = (await panel.locator('code').textContent()) ?? '';
    await page.keyboard.press('Escape');
    await panel.getByRole('button', { name: "I've saved this secret" }).click();
    await panel.waitFor({ state: 'detached' });
    return shown;
  };

  test('are shown on plans with the API, and show errors at the field', async () => {
    await page.goto(tab);
    await page.getByRole('region', { name: 'Get live API keys' }).waitFor();
    await expect(card()).toHaveCount(0);
    await update('api_basic');
    await page.goto(tab);
    await expect(card().getByRole('button', { name: 'Save' })).toBeDisabled();
    await card().getByLabel('Allowed hosts').fill('https://images.example.com');
    await card().getByRole('switch', { name: 'Enable image URLs' }).check();
    await card().getByRole('button', { name: 'Save' }).click();
    await card()
      .getByText(/Each host must be a name such as images\.example\.com/)
      .waitFor();
    expect(await findViolations(page)).toEqual([]);
  });

  test('show the secret once, and sign a sample URL that the API accepts', async () => {
    await card().getByLabel('Allowed hosts').fill('images.example.com');
    await card().getByRole('button', { name: 'Save' }).click();
    const secret = await takeSecret();
    expect(secret).toMatch(/^upz_img_[\w-]{43}$/);
    await expect(card().getByLabel('Original image')).toHaveValue('https://images.example.com/photo.jpg');
    await card().getByLabel('Options').fill('width:0');
    await button('Sign URL').click();
    await card()
      .getByText(/must be a whole number/)
      .waitFor();
    await card().getByLabel('Options').fill('width:640,exp:1500000000');
    await button('Sign URL').click();
    const link = card().getByRole('link', { name: 'Open image' });
    const url = (await link.getAttribute('href')) ?? '';
    const answer = await page.request.get(new URL(url).pathname);
    expect([answer.status(), answer.headers()['x-error-code']]).toEqual([403, 'image_url_expired']);
    expect(await findViolations(page)).toEqual([]);
    await page.reload();
    await card().getByText('Key ID').waitFor();
    expect([await page.content(), await textsOfCaches(page)].join('\n')).not.toContain(secret);
  });

  test('rotate the secret', async () => {
    await button('Rotate secret').click();
    const dialog = page.getByRole('dialog', { name: 'Rotate the secret of image URLs?' });
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    expect(await takeSecret()).toMatch(/^upz_img_/);
    await card().getByText('Previous secret valid until').waitFor();
  });
});
