import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, type Migration, sql } from 'kysely';
import { isDeadlock, isLockTimeout } from './database-errors.ts';

/** `isConcurrent`: its statements run outside of a transaction, as `create index concurrently` requires. */
export type AnyMigration = Migration & { isConcurrent?: boolean };
export type Migrations = Readonly<Record<string, AnyMigration>>;

export const isConcurrent = (migration: AnyMigration | undefined): boolean => migration?.isConcurrent ?? false;

/** The first migration that runs while services use the database. */
const firstOnline = '0058';

export const isOnline = (name: string): boolean => name >= firstOnline;

/** Queries that come after a waiting statement wait for it, too. */
const lockTimeout = '1s';
const attempts = 60;
const pauseMs = 1_000;

/** The migrations with a short lock timeout in those that run while services use the database. */
export const limitLocks = (migrations: Migrations): Record<string, Migration> =>
  Object.fromEntries(Object.entries(migrations).map(([name, one]) => [name, needsLimit(name, one) ? limit(one) : one]));

const needsLimit = (name: string, migration: AnyMigration) => isOnline(name) && !isConcurrent(migration);

const limit = (migration: Migration): Migration => ({
  ...migration,
  up: async (db: Kysely<unknown>) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(db);
    await migration.up(db);
  },
});

/** Repeats a migration whose locks weren't available in time, or that ended in a deadlock. Throws the last error after about two minutes. */
export async function retryLocks<Result>(migrate: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await migrate();
    } catch (error) {
      if (!(isLockTimeout(error) || isDeadlock(error)) || attempt === attempts) throw error;
      await pause(pauseMs);
    }
  }
}
