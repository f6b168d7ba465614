import type { BrowserContext } from '@playwright/test';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { openMailCatcher } from '@uprez/testing/mail';
import { getServices, openTestDatabase } from '@uprez/testing/open-test-database';
import { startTestProduct } from '@uprez/testing/products/start-test-product';
import { password } from './open-admin.ts';

export type MailWorld = Awaited<ReturnType<typeof openMailWorld>>;

/**
 * Starts a product that sends emails to a mail catcher. Signs up a user with an admin role in `context`, and opens a
 * page.
 */
export async function openMailWorld(context: BrowserContext, role: Role) {
  const [mails, database] = await Promise.all([openMailCatcher(), openTestDatabase()]);
  const product = await startTestProduct({
    databaseUrl: database.url,
    redisUrl: getServices().redisUrl,
    services: ['gateway', 'dispatcher'],
    env: mails.env,
  });
  const { url, db } = product;
  const email = 'agent@example.test';
  await context.request.post(`${url}/api/register`, {
    data: { email, password, firstName: 'Grace' },
    headers: { origin: url },
  });
  await db.updateTable('users').set({ role }).where('email', '=', email).execute();
  const close = async () => {
    await product.close();
    await Promise.all([database.close(), mails.close()]);
  };
  return { url, db, email, mailUrl: mails.url, page: await context.newPage(), close };
}
