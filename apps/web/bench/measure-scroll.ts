import { randomUUID } from 'node:crypto';
import type { Browser } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import { makeImage } from '@uprez/testing/make-image';
import { openSlowPage } from './open-slow-page.ts';

const steps = 60;
const stepPx = 120;

/** Returns the longest task in milliseconds while a list of 100 files is scrolled from top to bottom. */
export async function measureScroll(browser: Browser, { url, slowDown }: { url: string; slowDown: number }) {
  const page = await openSlowPage(browser, slowDown);
  await page.context().request.post(`${url}/api/register`, {
    data: { email: `${randomUUID()}@example.test`, password: 'six feet under' },
    headers: { origin: url },
  });
  await page.goto(`${url}/dashboard`, { waitUntil: 'networkidle' });
  const buffer = await makeImage({ width: 640, height: 480, format: 'jpeg', seed: 3 });
  const files = Array.from({ length: limits.batchItems }, (_, index) => ({
    name: `photo-${index + 1}.jpg`,
    mimeType: 'image/jpeg',
    buffer: Buffer.concat([buffer, Buffer.from(String(index))]),
  }));
  await page.locator('input[type=file][multiple]').first().setInputFiles(files);
  await page.getByText('photo-1.jpg').first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(window, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  // Forced, because the truncated name consists of overlapping elements.
  await page.getByText('photo-1.jpg').first().hover({ force: true });
  for (let step = 0; step < steps; step += 1) await page.mouse.wheel(0, stepPx);
  const last = page.getByText(`photo-${limits.batchItems}.jpg`).first();
  await last.scrollIntoViewIfNeeded();
  await last.waitFor();
  const tasks = await page.evaluate(() => (window as unknown as { tasks: number[] }).tasks);
  await page.context().close();
  return Math.max(0, ...tasks);
}
