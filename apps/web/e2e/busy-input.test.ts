import { randomUUID } from 'node:crypto';
import { expect, type Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import { test } from './support/fixtures.ts';

const choose = async (page: Page, name: string) =>
  page.getByLabel('Image file').setInputFiles({
    name,
    mimeType: 'image/jpeg',
    buffer: await makeImage({ width: 320, height: 240, format: 'jpeg', seed: 7 }),
  });

test('answers files that are chosen during a job, and opens those chosen before its result is shown', async ({
  site,
  page,
}) => {
  await page.context().request.post(`${site.url}/api/register`, {
    data: { email: `${randomUUID()}@example.test`, password: 'six feet under', firstName: 'Grace' },
  });
  await page.goto(site.url);
  await choose(page, 'harbor.jpg');
  // The upload is held, so that the job can't end too early.
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/images/process', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Process image', exact: true }).click();
  await page.getByRole('progressbar', { name: 'Processing' }).waitFor();
  await choose(page, 'forest.jpg');
  await page.getByText('Image not opened', { exact: true }).first().waitFor();
  await expect(page.getByText('forest.jpg')).toHaveCount(0);
  release();
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor({ timeout: 90_000 });

  // The job of the stored result isn't known yet.
  await page.route(/\/api\/jobs\//, () => {});
  await page.reload();
  await choose(page, 'forest.jpg');
  await page.getByRole('img', { name: 'Preview of forest.jpg' }).waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
