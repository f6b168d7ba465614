import { randomBytes } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { openDb } from '@uprez/db/open-db';
import { getServices } from './provided-services.ts';
import { runSql, withDatabase } from './sql.ts';

export type TestDatabase = { url: string; db: Db; close: () => Promise<void> };

/** A database of this file's own, copied from the migrated template (`empty`: without any table). */
export async function openTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  const { adminUrl, template } = getServices();
  const name = `t_${randomBytes(6).toString('hex')}`;
  await runSql(adminUrl, `create database ${name}${empty ? '' : ` template ${template}`}`);
  const url = withDatabase(adminUrl, name);
  const { db, close } = openDb({ url, poolSize: 10, onError: () => {} });
  return {
    url,
    db,
    close: async () => {
      await close();
      await runSql(adminUrl, `drop database ${name} with (force)`);
    },
  };
}
