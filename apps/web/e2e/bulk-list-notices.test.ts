import { expect } from '@playwright/test';
import type { Dashboard } from '@uprez/contracts/schemas/dashboard';
import { choose, nameOf, openBulkPage, rowOf } from './support/bulk-page.ts';
import { findViolations } from './support/find-violations.ts';
import { test } from './support/fixtures.ts';

test.describe('the notices of the bulk list', () => {
  test('shows rows beside both notices at 360 px, and names options that were lowered', async ({ site, browser }) => {
    const { page } = await openBulkPage({ site, browser, tier: 'free' });
    const remembered = { state: { scaleFactor: 8, format: 'png', quality: 95, engine: 'photo-fast' }, version: 0 };
    await page.evaluate((value) => localStorage.setItem('uprez.bulk-settings', value), JSON.stringify(remembered));
    await page.route('**/api/dashboard/stats', async (route) => {
      const response = await route.fetch({ maxRetries: 2 });
      const stats: Dashboard = await response.json();
      const quota = stats.quota.map((meter) => ({ ...meter, used: meter.included - 1, left: 1 }));
      await route.fulfill({ response, json: { ...stats, quota } });
    });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.reload();
    await choose(page, 5);
    await page.getByText(/^8x isn't available with this engine on your plan, so \dx is used\.$/).waitFor();
    await page.getByText('Your plan allows 3 images per batch').waitFor();
    await page.getByText(/^2 more images are over your quota\. /).waitFor();
    await page.getByText('This batch uses 3 AI images, but you have only 1 left.').waitFor();
    const bar = page.locator('[data-action-bar]');
    const top = async () => (await bar.boundingBox())?.y ?? 0;
    const name = rowOf(page, nameOf(0)).getByText(nameOf(0), { exact: true });
    // Notices that are there before the list move its rows behind the bar.
    await name.evaluate((element) => element.scrollIntoView({ block: 'center' }));
    await expect
      .poll(async () => {
        const box = await name.boundingBox();
        return box !== null && box.y + box.height <= (await top());
      })
      .toBe(true);
    expect(await findViolations(page)).toEqual([]);
    await page.context().close();
  });
});
