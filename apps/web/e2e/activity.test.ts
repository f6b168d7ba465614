import { randomUUID } from 'node:crypto';
import { expect, type Locator } from '@playwright/test';
import { corruptPng, makeImage } from '@uprez/testing/make-image';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';

test('the activity of an account compares a result, retries an image, and fits small screens', async ({
  site,
  browser,
}) => {
  const context = await browser.newContext({ baseURL: site.url, viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  const headers = { origin: site.url, prefer: 'respond-async' };
  const account = { email: `${randomUUID()}@example.test`, password: 'a longer battery staple', firstName: 'Grace' };
  await page.request.post('/api/register', { data: account, headers });
  const whole = await makeImage({ width: 320, height: 240, format: 'png', seed: 3 });
  // The header of the second one is valid, so its job fails while decoding.
  for (const [name, buffer] of [
    ['whole.png', whole],
    ['torn.png', corruptPng(whole)],
  ] as const)
    await page.request.post('/api/images/process', {
      headers,
      multipart: { image: { name, mimeType: 'image/png', buffer }, engine: 'standard' },
    });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const card = (name: string) =>
    page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem').filter({ hasText: name });
  const act = async (name: string, action: string) => {
    await button(`Actions for ${name}`).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const hasFocus = (place: Locator) => place.evaluate((element) => element === document.activeElement);
  const violations = () => findViolations(page);
  await page.goto('/dashboard?tab=activity');
  await card('whole.png').getByText('Completed').waitFor();
  await card('torn.png').getByText('Failed').waitFor();

  await test.step('compares a result with the original that the user chooses', async () => {
    await act('whole.png', 'Compare');
    const dialog = page.getByRole('dialog', { name: 'Compare whole.png' });
    await dialog.getByText(/^We deleted the original after processing\./).waitFor();
    const choose = async (width: number, height: number) => {
      const buffer = await makeImage({ width, height, format: 'png', seed: 3 });
      await dialog.getByLabel('Original image').setInputFiles({ name: 'whole.png', mimeType: 'image/png', buffer });
    };
    await choose(64, 48);
    await dialog.getByText('This image is 64 x 48 pixels. The original was 320 x 240 pixels.').waitFor();
    await choose(320, 240);
    await dialog.getByText(/^This image is /).waitFor({ state: 'detached' });
    await dialog.getByRole('region', { name: 'Before and after' }).waitFor();
    await dialog
      .getByText(/^Original · 320 x 240 · /)
      .first()
      .waitFor();
    expect(await violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await hasFocus(button('Actions for whole.png'))).toBe(true);
  });

  await test.step('retries a failed image from its stored original', async () => {
    await act('torn.png', 'Retry');
    await page.getByText('Retrying torn.png', { exact: true }).first().waitFor();
    await expect(card('torn.png')).toHaveCount(2);
    await expect(card('torn.png').getByText('Failed', { exact: true })).toHaveCount(2);
  });

  await test.step('shows the tool first on small screens', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/dashboard');
    const counter = page.getByText('Images processed', { exact: true });
    await counter.waitFor();
    const top = async (place: Locator) => (await place.boundingBox())?.y ?? 0;
    const tool = await top(page.getByRole('tablist', { name: 'Dashboard' }));
    expect(tool).toBeLessThan(300);
    expect(tool).toBeLessThan(await top(counter));
    await page.setViewportSize({ width: 1_280, height: 900 });
    expect(await top(counter)).toBeLessThan(await top(page.getByRole('tablist', { name: 'Dashboard' })));
  });
  await context.close();
});
