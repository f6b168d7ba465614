import { test as base } from '@playwright/test';
import { findMailLink, openMailCatcher, waitForMail } from '@uprez/testing/mail';
import { noteOpened } from '@uprez/testing/note-opened';
import { getServices, openTestDatabase } from '@uprez/testing/open-test-database';
import { pullTestModels, startTestProduct, type TestProduct } from '@uprez/testing/products/start-test-product';
import { openShop, type Shop } from './shop.ts';
import { keepToasts } from './toasts.ts';

export type Site = {
  url: string;
  product: TestProduct;
  db: TestProduct['db'];
  mailUrl: string;
  /**
   * Returns the URL of the link in the newest email to `email` with a subject. Replaces the link's origin with that of
   * this site.
   */
  linkOf: (email: string, subject: string) => Promise<string>;
};

/**
 * `site`: the whole product with its real model. `shop`: a product that sells plans. Each is started once per worker,
 * when a test needs it, and each test creates its own account.
 *
 * Test files that need no product use this `test`, too. When the fixtures change, Playwright ends the worker and would
 * have to start its browser and products again for the next file.
 */
export const test = base.extend<object, { site: Site; shop: Shop }>({
  browser: [
    async ({ browser }, use) => {
      noteOpened('browsers');
      keepToasts(browser);
      await use(browser);
    },
    { scope: 'worker' },
  ],
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern.
    async ({}, use) => {
      const modelsDir = await pullTestModels();
      const [mails, database] = await Promise.all([openMailCatcher(), openTestDatabase()]);
      const product = await startTestProduct({
        databaseUrl: database.url,
        redisUrl: getServices().redisUrl,
        env: { ...mails.env, MODELS_DIR: modelsDir, LEASE_S: '30' },
      });
      const { url, db } = product;
      const linkOf = async (email: string, subject: string) => {
        const { pathname, search } = findMailLink(await waitForMail(mails.url, email, subject));
        return url + pathname + search;
      };
      await use({ url, product, db, mailUrl: mails.url, linkOf });
      await product.close();
      await Promise.all([database.close(), mails.close()]);
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  shop: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures that are needed from the pattern.
    async ({}, use) => {
      const shop = await openShop();
      await use(shop);
      await shop.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
});
