import { setTimeout as pause } from 'node:timers/promises';
import { type Kysely, type Migration, Migrator, sql } from 'kysely';
import type { Db } from './database.ts';
import { isDeadlock, isLockTimeout } from './database-errors.ts';
import { withMigrationLock } from './locks.ts';
import { baseline } from './migrations/202612011700-baseline.ts';
import { moneyBackRuleFact } from './queries/billing/money-back.ts';

/** `isConcurrent`: whether the migration runs outside of a transaction, as `create index concurrently` requires. */
export type AnyMigration = Migration & { isConcurrent?: boolean };
export type Migrations = Readonly<Record<string, AnyMigration>>;

const baselineName = '202612011700-baseline';

/** Every migration in order. A name starts with the minute (UTC) in which it was written. Never rename one: the database stores it. */
export const migrations: Migrations = { [baselineName]: baseline };

/** Short, because later queries queue behind a statement that waits for a lock. */
const lockTimeout = '1s';
const attempts = 60;
const pauseMs = 1_000;

/**
 * Migrates to the newest version. Safe to run concurrently. Returns the names of the applied migrations, and throws the
 * first error. Applies migrations one at a time to keep locks short, because services of the previous version are still
 * running.
 */
export const migrate = (db: Db, all: Migrations = migrations): Promise<string[]> =>
  withMigrationLock(db, async () => {
    await adoptBaseline(db);
    const provider = { getMigrations: async () => limitLocks(all) };
    const known = await new Migrator({ db, provider }).getMigrations();
    const pending = known.filter(({ executedAt }) => !executedAt);
    for (const { name } of pending)
      await retryLocks(async () => {
        const migrator = new Migrator({ db, provider, disableTransactions: all[name]?.isConcurrent });
        const { error } = await migrator.migrateTo(name);
        if (error) throw error;
      });
    return pending.map(({ name }) => name);
  });

/** Last migration before the baseline, which creates the same schema as all migrations up to this one. */
const lastBeforeBaseline = '0083-queue-indexes';
const moneyBackMigration = '0080-money-back-cards';

/**
 * Replaces the stored names of all migrations before the baseline with the baseline's name, and stores when the
 * money-back rule took effect. Throws if the database hasn't reached `lastBeforeBaseline`.
 */
async function adoptBaseline(db: Db): Promise<void> {
  const found = await sql<{ name: string | null }>`select to_regclass('kysely_migration')::text as name`.execute(db);
  if (!found.rows[0]?.name) return;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ name: string; timestamp: string }>`
      delete from kysely_migration where name ~ '^[0-9]{4}-' returning name, "timestamp"`.execute(tx);
    if (rows.length === 0) return;
    if (!rows.some(({ name }) => name === lastBeforeBaseline))
      throw new Error(
        `The database is older than the baseline of migrations: it doesn't have ${lastBeforeBaseline}. Run the setup of the ` +
          'last version before the baseline first. See docs/operations/upgrade.md.',
      );
    const since = rows.find(({ name }) => name === moneyBackMigration)?.timestamp;
    await sql`insert into kysely_migration (name, "timestamp") values (${baselineName}, ${new Date().toISOString()})`.execute(
      tx,
    );
    await sql`insert into instance (name, value) values (${moneyBackRuleFact}, ${since}) on conflict do nothing`.execute(
      tx,
    );
  });
}

const limitLocks = (all: Migrations): Record<string, Migration> =>
  Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one.isConcurrent ? one : withLockTimeout(one)]));

const withLockTimeout = (migration: Migration): Migration => ({
  ...migration,
  up: async (db: Kysely<unknown>) => {
    await sql`set local lock_timeout = ${sql.lit(lockTimeout)}`.execute(db);
    await migration.up(db);
  },
});

/** Retries a migration after a lock timeout or a deadlock. Throws the last error after about two minutes. */
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
