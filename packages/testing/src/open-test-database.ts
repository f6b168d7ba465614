import { randomBytes } from 'node:crypto';
import type { Db } from '@uprez/db/database';
import { openDb } from '@uprez/db/open-db';
import { sql } from 'kysely';
import pg from 'pg';
import { hostEnv } from './config.ts';
import { noteOpened } from './note-opened.ts';

/** Servers of a test run, and the migrated database that test files copy. `strategy`: PostgreSQL's copy strategy. */
export type ProvidedServices = {
  adminUrl: string;
  template: string;
  strategy: 'wal_log' | 'file_copy';
  redisUrl: string;
};

const variable = 'UPREZ_TEST_SERVICES';

/**
 * Passes the servers to the test processes in an environment variable, which works with any test runner. `undefined`
 * removes the variable.
 */
export function provideServices(services: ProvidedServices | undefined): void {
  if (services) hostEnv[variable] = JSON.stringify(services);
  else delete hostEnv[variable];
}

export const areServicesProvided = (): boolean => Boolean(hostEnv[variable]);

/** Returns the servers that the global setup opened. Throws when it did not run. */
export function getServices(): ProvidedServices {
  const text = hostEnv[variable];
  if (!text) throw new Error('The global setup of the tests did not run.');
  return JSON.parse(text);
}

export type TestDatabase = { url: string; db: Db; close: () => Promise<void> };

/** Creates a private database as a copy of the migrated template, or without tables if `empty` is set. */
export async function openTestDatabase({ empty = false } = {}): Promise<TestDatabase> {
  noteOpened('databases');
  const { adminUrl, template, strategy } = getServices();
  const name = `t_${randomBytes(6).toString('hex')}`;
  await runSql(adminUrl, `create database ${name}${empty ? '' : ` template ${template} strategy ${strategy}`}`);
  const url = withDatabase(adminUrl, name);
  const { db, close } = connectTo(url);
  return {
    url,
    db,
    close: async () => {
      await close();
      await runSql(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

export const connectTo = (url: string, poolSize = 10): { db: Db; close: () => Promise<void> } =>
  openDb({ url, poolSize, onError: () => {} });

export type ClockedDb = { db: Db; setClock: (at: Date) => Promise<void>; close: () => Promise<void> };

/**
 * Opens a connection pool for a test database, with a clock that the test sets. A schema that precedes `pg_catalog` in
 * the search path replaces `now()` and `clock_timestamp()`. Column defaults still use the real time.
 */
export async function openClockedDb(databaseUrl: string, at: Date): Promise<ClockedDb> {
  const function_ = (name: string) =>
    `create function clock.${name}() returns timestamptz stable language sql as 'select at from clock.hand'`;
  await runSql(
    databaseUrl,
    `create schema clock; create table clock.hand (at timestamptz not null); insert into clock.hand values (to_timestamp(0));
    ${function_('now')}; ${function_('clock_timestamp')}`,
  );
  const url = new URL(databaseUrl);
  url.searchParams.set('options', '-c search_path=clock,public,pg_catalog');
  const { db, close } = connectTo(url.href);
  const setClock = async (moment: Date) => {
    await sql`update clock.hand set at = ${moment}`.execute(db);
  };
  await setClock(at);
  return { db, setClock, close };
}

/** Returns the URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}

/** Runs one statement on a new connection. */
export async function runSql(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
