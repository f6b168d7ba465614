import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { type Site, test } from './support/fixtures.ts';
import { waitUntilKept } from './support/kept-files.ts';
import { watchFor } from './support/watch-for.ts';

const password = 'six feet under';
const nameOf = (index: number) => `photo-${index}.png`;

test.describe('several files on the home page', () => {
  let site: Site;
  let page: Page;
  let image: number[];
  test.beforeAll(async ({ site: started }) => {
    site = started;
    image = [...(await makeImage({ width: 64, height: 64, seed: 1 }))];
  });
  test.beforeEach(async ({ browser }) => {
    page = await (await browser.newContext({ viewport: { width: 1280, height: 800 }, baseURL: site.url })).newPage();
  });
  test.afterEach(() => page.context().close());

  const list = () => page.getByRole('list', { name: 'Images', exact: true });
  const titles = () =>
    list()
      .locator('p[title]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('title')));

  /** Drops files on the home page, as from the desktop. */
  async function drop(names: readonly string[]) {
    await page.goto('/');
    await page.getByRole('button', { name: /Choose image/ }).waitFor();
    const dataTransfer = await page.evaluateHandle(
      ([names, image]) => {
        const data = new DataTransfer();
        for (const name of names) {
          const type = name.endsWith('.png') ? 'image/png' : 'text/plain';
          data.items.add(new File([new Uint8Array(image)], name, { type }));
        }
        return data;
      },
      [names, image] as const,
    );
    await page.dispatchEvent('body', 'drop', { dataTransfer });
  }

  test('open the batch list of a user with the dropped files, which a reload keeps', async () => {
    const data = { email: `${randomUUID()}@example.test`, password };
    await page.request.post('/api/register', { data });
    await drop([nameOf(1), 'notes.txt', nameOf(2)]);
    await page.waitForURL('**/dashboard');
    await page.getByText('2 images', { exact: true }).waitFor();
    expect(await titles()).toEqual([nameOf(1), nameOf(2), 'notes.txt']);
    await list().getByRole('listitem').filter({ hasText: 'notes.txt' }).getByText('Not added').waitFor();
    await waitUntilKept(page, 2);
    await page.reload();
    await page.getByText('2 images', { exact: true }).waitFor();
  });

  test('are chosen in the file dialog and kept while a visitor signs up, with the limit of the plan', async () => {
    const names = [1, 2, 3, 4, 5].map(nameOf);
    const waitForToast = await watchFor(page, 'Please sign in to process images');
    await page.goto('/');
    // It loads when the browser is idle, and the page is left a second after the toast.
    await page.getByRole('region', { name: /^Notifications/ }).waitFor({ state: 'attached' });
    const files = names.map((name) => ({ name, mimeType: 'image/png', buffer: Buffer.from(image) }));
    await page.getByLabel('Image file').setInputFiles(files);
    await waitForToast();
    await page.waitForURL(/\/auth\?next=/);
    await page
      .getByText(
        "Sign up or sign in to process several images. The Free plan allows 3 images per batch. We'll keep your 5 images.",
      )
      .waitFor();
    await page.getByLabel('Email').fill(`${randomUUID()}@example.test`);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('checkbox', { name: /^I am 13 or older/ }).check();
    await page.getByRole('button', { name: 'Create Account' }).click();
    await page.waitForURL('**/dashboard');
    await page.getByText('5 images', { exact: true }).waitFor();
    expect(await titles()).toEqual(names);
    await page.getByText('Your plan allows 3 images per batch').waitFor();
    await page.getByRole('button', { name: 'Process first 3 images' }).waitFor();
  });
});
