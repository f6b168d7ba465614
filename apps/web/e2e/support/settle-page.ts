import type { Page } from '@playwright/test';
import { routes } from '@uprez/contracts/endpoints/routes';
import { waitUntil } from '@uprez/testing/wait-until';

/**
 * Opens a URL and waits until the app shows its heading, no request is pending, and no skeleton is left. Playwright's
 * network idle state is never reached because of the open event stream.
 */
export async function settlePage(page: Page, url: string): Promise<void> {
  const open = new Set<unknown>();
  page.on('request', (request) => new URL(request.url()).pathname !== routes.events.path && open.add(request));
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  await page.goto(url);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  const loading = '[data-prerendered], .animate-breathe, [role="status"][aria-label="Loading"]';
  const isLoading = () => page.evaluate((selector) => !!document.querySelector(selector), loading);
  await waitUntil(async () => open.size === 0 && !(await isLoading()), { what: `all of ${url}` });
  page.removeAllListeners('requestfinished');
  page.removeAllListeners('requestfailed');
}
