import { openMailCatcher } from '@uprez/testing/open-mail-catcher';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/start-test-product';
import { findMailLink, waitForMail } from '@uprez/testing/wait-for-mail';
import { inject } from 'vitest';
import { launchBrowser } from '../chromium.ts';

/** The product without workers, the mails that it sends, and a browser. */
export async function startAccountSite() {
  const [mails, database] = await Promise.all([openMailCatcher(), openTestDatabase()]);
  const product = await startTestProduct({
    databaseUrl: database.url,
    redisUrl: inject('services').redisUrl,
    services: ['gateway', 'dispatcher'],
    env: mails.env,
  });
  const browser = await launchBrowser();
  return {
    url: product.url,
    db: product.db,
    mailUrl: mails.url,
    /** A page in a browser of its own, as wide as a phone unless told. */
    openPage: async (width = 390) =>
      (await browser.newContext({ viewport: { width, height: 800 }, baseURL: product.url })).newPage(),
    /** The address of the page here that the link of the newest mail of a subject opens. */
    linkOf: async (email: string, subject: string) => {
      const { pathname, search } = findMailLink(await waitForMail(mails.url, email, subject));
      return product.url + pathname + search;
    },
    close: async () => {
      await browser.close();
      await product.close();
      await database.close();
      await mails.close();
    },
  };
}
export type AccountSite = Awaited<ReturnType<typeof startAccountSite>>;
