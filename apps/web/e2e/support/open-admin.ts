import type { Browser, Page } from '@playwright/test';
import { openBillingWorld } from '@uprez/testing/billing/open-billing-world';
import { getServices } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/products/start-test-product';

export type Admin = Awaited<ReturnType<typeof openAdmin>>;

export const password = 'six feet under';

/** Starts a product with a Stripe double and the prices of all plans, and signs up an administrator in a page. */
export async function openAdmin(browser: Browser) {
  const world = await openBillingWorld();
  const product = await startTestProduct({
    databaseUrl: world.databaseUrl,
    redisUrl: getServices().redisUrl,
    services: ['gateway'],
    env: world.stripe.env,
  });
  const context = await browser.newContext({ viewport: { width: 1_280, height: 800 }, baseURL: product.url });
  const page = await context.newPage();
  const signUp = (on: Page, email: string) =>
    on.request.post(`${product.url}/api/register`, {
      data: { email, password, firstName: 'Grace' },
      headers: { origin: product.url },
    });
  const email = 'root@example.test';
  await signUp(page, email);
  await world.db.updateTable('users').set({ role: 'owner' }).where('email', '=', email).execute();
  return {
    world,
    product,
    page,
    email,
    signUp,
    row: (text: string) => page.getByRole('row').filter({ hasText: text }),
    close: async () => {
      await context.close();
      await product.close();
      await world.close();
    },
  };
}
