import { maintenanceTimeouts, openDb } from '@uprez/db/open-db';
import { sql } from 'kysely';
import { startGatewayBench } from '../support/open-verbs.ts';
import { signUpCookie } from '../support/sign-up-cookie.ts';
import { type Sizes, seedAccounts } from './seed-accounts.ts';

export type AdminBench = Awaited<ReturnType<typeof openAdminBench>>;

/** Starts a gateway with many accounts and images, and signs up an owner. */
export async function openAdminBench(sizes: Sizes) {
  const { product, verbs, close } = await startGatewayBench();
  const { cookie, client } = await signUpCookie(product.url);
  const { id } = (await client.user()).data;
  await verbs.db.updateTable('users').set({ role: 'owner' }).where('id', '=', id).execute();
  const bulk = openDb({
    url: product.env.DATABASE_URL ?? '',
    poolSize: 2,
    onError: () => {},
    timeouts: maintenanceTimeouts,
  });
  try {
    await seedAccounts({ ...verbs, db: bulk.db }, sizes);
    await sql`vacuum analyze`.execute(bulk.db);
  } finally {
    await bulk.close();
  }
  return { sizes, product, verbs, cookie, close };
}
