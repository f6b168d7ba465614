import { randomUUID } from 'node:crypto';
import type { Browser, Page, Route } from '@playwright/test';
import { limits } from '@uprez/contracts/policy/limits';
import type { Tier } from '@uprez/contracts/policy/plans/plans';
import { makeImage } from '@uprez/testing/make-image';
import type { Site } from './fixtures.ts';

export const password = 'six feet under';
export const nameOf = (index: number) => `photo-${String(index).padStart(2, '0')}.png`;

type Opening = { site: Pick<Site, 'url' | 'db'>; browser: Browser; tier: Tier };

/** Opens the dashboard of a new account on a plan, with the standard engine selected. */
export async function openBulkPage({ site, browser, tier }: Opening) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, baseURL: site.url });
  const email = `${randomUUID()}@example.test`;
  const answer = await context.request.post('/api/register', { data: { email, password, firstName: 'Grace' } });
  const { id } = await answer.json();
  await site.db.updateTable('users').set({ tier }).where('id', '=', id).execute();
  const page = await context.newPage();
  await page.goto('/dashboard');
  await page.getByRole('combobox', { name: 'Engine' }).click();
  await page.getByRole('option', { name: /^standard/ }).click();
  return { page, id: String(id), email };
}

export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
export const list = (page: Page) => page.getByRole('list', { name: 'Images', exact: true });
export const rows = (page: Page) => list(page).getByRole('listitem');
export const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });

// All images differ, because repeated images are free.
const seeds = Array.from({ length: limits.batchItems + 12 }, (_, index) => index + 1);
const images = await Promise.all(seeds.map((seed) => makeImage({ width: 64, height: 64, seed })));
export const imageAt = (index: number) => images[index] ?? Buffer.of();
export const fileOf = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
export const files = (count: number) =>
  Array.from({ length: count }, (_, index) => fileOf(nameOf(index), imageAt(index)));
export const choose = (page: Page, count: number) => page.getByLabel('Choose images').setInputFiles(files(count));

export const jobsOf = (site: Site, id: string) =>
  site.db.selectFrom('jobs').select(['filename', 'status']).where('accountId', '=', id).execute();

/** Returns the credits that were reserved and released. */
export async function unitsOf(site: Site, id: string) {
  const all = await site.db.selectFrom('ledger').select(['kind', 'units']).where('accountId', '=', id).execute();
  const sum = (kind: string) => all.filter((row) => row.kind === kind).reduce((total, row) => total + row.units, 0);
  return { reserved: -sum('reserve'), given: sum('release') };
}

/** Lets the first `through` uploads continue, and holds the others until `letGo` is called. */
export async function holdUploads(page: Page, through: number) {
  let seen = 0;
  const held: Route[] = [];
  await page.route('**/api/batches/*/items/*', async (route) => {
    seen += 1;
    if (seen <= through) await route.continue();
    else held.push(route);
  });
  return {
    isHolding: () => held.length > 0,
    letGo: async () => {
      await page.unroute('**/api/batches/*/items/*');
      for (const route of held) await route.continue().catch(() => {});
    },
  };
}
