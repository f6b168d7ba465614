import type { Browser, Page } from '@playwright/test';
import { makeImage } from '@uprez/testing/make-image';
import type { TestProduct } from '@uprez/testing/products/start-test-product';
import { button, openBulkPage } from '../e2e/support/bulk-page.ts';

/** In pixels, one per size class. */
const widths = [800, 1_600, 3_000];
const photoCount = 30;
/**
 * Minimum remaining time to compare, in seconds. For shorter times, the page's rounding to whole seconds would dominate
 * the error.
 */
const minRestS = 5;
const units: Record<string, number> = { s: 1, min: 60 };

async function makePhotos() {
  const shapes = Array.from({ length: photoCount }, (_, index) => ({
    index,
    width: widths[index % widths.length] ?? 0,
  }));
  return Promise.all(
    shapes.map(async ({ index, width }) => ({
      name: `photo-${index + 1}.jpg`,
      mimeType: 'image/jpeg',
      buffer: await makeImage({ width, height: (width * 3) / 4, format: 'jpeg', seed: index + 1 }),
    })),
  );
}

async function readRest(page: Page): Promise<number | undefined> {
  const text = await page.getByRole('progressbar', { name: 'Batch progress' }).getAttribute('aria-valuetext');
  const [, count, unit] = /about (\d+) (s|min) left/.exec(text ?? '') ?? [];
  return count && unit ? Number(count) * (units[unit] ?? 0) : undefined;
}

/**
 * Processes 30 photos as a user does. Returns the relative error of the displayed remaining time for each second, from
 * 10% of the images finished until the end.
 */
export async function measureEta(browser: Browser, product: TestProduct): Promise<number[]> {
  const { page, id } = await openBulkPage({ site: product, browser, tier: 'pro' });
  await page.getByLabel('Choose images').setInputFiles(await makePhotos());
  await page.getByText(`${photoCount} images`, { exact: true }).waitFor();
  await button(page, 'Process All').click();
  const shown: { at: number; rest: number }[] = [];
  for (let done = 0; done < photoCount; ) {
    await page.waitForTimeout(1_000);
    const jobs = await product.db.selectFrom('jobs').select('status').where('accountId', '=', id).execute();
    done = jobs.filter(({ status }) => status === 'completed').length;
    const rest = done >= photoCount / 10 && done < photoCount ? await readRest(page) : undefined;
    if (rest !== undefined) shown.push({ at: Date.now(), rest });
  }
  const end = Date.now();
  await page.context().close();
  return shown
    .map(({ at, rest }) => ({ rest, real: (end - at) / 1_000 }))
    .filter(({ real }) => real >= minRestS)
    .map(({ rest, real }) => Math.abs(rest - real) / real);
}
