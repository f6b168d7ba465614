import { randomBytes } from 'node:crypto';
import { migrate } from '@uprez/db/migrate';
import { openDb } from '@uprez/db/open-db';
import type { TestProject } from 'vitest/node';
import type { ProvidedServices } from './provided-services.ts';
import { openTestServices } from './services/open-test-services.ts';
import { runSql, withDatabase } from './sql.ts';

/** Before the first test file: servers, and one migrated database that every file copies. Called by vitest. @public */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const services = await openTestServices();
  const template = `template_${randomBytes(4).toString('hex')}`;
  await runSql(services.databaseUrl, `create database ${template}`);
  const { db, close } = openDb({
    url: withDatabase(services.databaseUrl, template),
    poolSize: 2,
    onError: console.error,
  });
  await migrate(db);
  await close();
  const provided: ProvidedServices = { adminUrl: services.databaseUrl, template, redisUrl: services.redisUrl };
  project.provide('services', provided);
  return async () => {
    await runSql(services.databaseUrl, `drop database ${template} with (force)`);
    await services.close();
  };
}
