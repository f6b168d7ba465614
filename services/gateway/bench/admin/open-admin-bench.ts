import type { Db } from '@uprez/db/database';
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
  /** Runs statements without the short timeouts of a service. */
  const withBulkDb = async (work: (db: Db) => Promise<void>): Promise<void> => {
    const url = product.env.DATABASE_URL ?? '';
    const bulk = openDb({ url, poolSize: 2, onError: () => {}, timeouts: maintenanceTimeouts });
    try {
      await work(bulk.db);
      await sql`vacuum analyze`.execute(bulk.db);
    } finally {
      await bulk.close();
    }
  };
  await withBulkDb((db) => seedAccounts({ ...verbs, db }, sizes));
  return { sizes, product, verbs, withBulkDb, cookie, close };
}
