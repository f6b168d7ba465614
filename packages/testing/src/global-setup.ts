import { randomBytes } from 'node:crypto';
import { migrate } from '@uprez/db/migrate';
import { openDb } from '@uprez/db/open-db';
import { ensureInstanceFact } from '@uprez/db/queries/instance/instance';
import { createFirstPages } from '@uprez/domain/content/first-articles/create-first-articles';
import { firstHelpFact, firstPagesFact, firstPostsFact } from '@uprez/domain/content/first-articles/first-articles';
import { areServicesProvided, provideServices, runSql, withDatabase } from './open-test-database.ts';
import { openTestServices } from './services/open-test-services.ts';

/**
 * Opens the servers for a test run and migrates one database, which every test file copies. Vitest and Playwright call
 * this function before the first file, and call the returned function after the last file. Vitest calls it for each
 * project, and only the first call opens the servers.
 * @public
 */
export default async function setUp(): Promise<() => Promise<void>> {
  if (areServicesProvided()) return async () => {};
  const services = await openTestServices();
  const template = `template_${randomBytes(4).toString('hex')}`;
  await runSql(services.databaseUrl, `create database ${template}`);
  const { db, close } = openDb({
    url: withDatabase(services.databaseUrl, template),
    poolSize: 2,
    onError: console.error,
  });
  await migrate(db);
  // Starts tests without posts and help articles, but with the pages that forms link to.
  for (const fact of [firstPostsFact, firstHelpFact]) await ensureInstanceFact(db, fact, 'none');
  await db.transaction().execute(createFirstPages);
  await ensureInstanceFact(db, firstPagesFact, 'created');
  await close();
  // Copies with `file_copy` on an embedded PostgreSQL. There it takes about half as long, because the checkpoints
  // before and after it don't wait for a disk.
  const strategy = services.postgresDir === undefined ? 'wal_log' : 'file_copy';
  provideServices({ adminUrl: services.databaseUrl, template, strategy, redisUrl: services.redisUrl });
  return async () => {
    await runSql(services.databaseUrl, `drop database ${template} with (force)`);
    await services.close();
    provideServices(undefined);
  };
}
