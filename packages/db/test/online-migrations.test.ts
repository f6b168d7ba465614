import { migrate } from '@uprez/db/migrate';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTestDatabase, runSql } from '@uprez/testing/open-test-database';
import { waitUntil } from '@uprez/testing/wait-until';
import { type Migration, sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Migrations, retryLocks } from '../src/migrate.ts';
import { replaceIndex, runAll } from '../src/run-all.ts';

const database = fileFixture(() => openTestDatabase({ empty: true }));

const first: Migrations = { '202701010000-things': { up: runAll(['create table things (id int)']) } };
const index = ['drop index concurrently if exists things_id', 'create index concurrently things_id on things (id)'];
const all: Migrations = {
  ...first,
  '202701020000-column': { up: runAll(['alter table things add name text']) },
  '202701030000-index': { up: runAll(index), isConcurrent: true },
};

it('applies migrations to a table in use, and gives others their turn while it waits for a lock', async () => {
  const { db, url } = database;
  expect(await migrate(db, first)).toEqual(['202701010000-things']);
  const reader = await db.startTransaction().execute();
  await sql`select from things`.execute(reader);
  const migrating = migrate(db, all);
  await waitUntil(
    async () => {
      const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table things%'`;
      return (await waiting.execute(db)).rows.length > 0;
    },
    { everyMs: 10, what: 'a waiting migration' },
  );
  // It is behind the migration in the queue of the table, so it ends when the migration fails.
  await runSql(url, 'select from things');
  await reader.commit().execute();
  expect(await migrating).toEqual(['202701020000-column', '202701030000-index']);
  const { rows } = await sql`select indisvalid as valid from pg_index where indexrelid = 'things_id'::regclass`.execute(
    db,
  );
  expect(rows).toEqual([{ valid: true }]);
});

it('applies each migration once when several processes migrate', async () => {
  const more: Migrations = { ...all, '202701040000-more': { up: runAll(['alter table things add more text']) } };
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.db, more)));
  expect(runs.flat()).toEqual(['202701040000-more']);
});

it('replaces the invalid index of an interrupted build', async () => {
  const { db } = database;
  await sql`insert into things (id) values (1), (1)`.execute(db);
  const unique = [
    'drop index concurrently if exists things_u',
    'create unique index concurrently things_u on things (id)',
  ];
  const more: Migrations = {
    ...all,
    '202701040000-more': { up: () => Promise.resolve() },
    '202701050000-unique': { up: runAll(unique), isConcurrent: true },
  };
  await expect(migrate(db, more)).rejects.toThrow('could not create unique index');
  await sql`delete from things`.execute(db);
  expect(await migrate(db, more)).toEqual(['202701050000-unique']);
});

it('keeps an index until its replacement is built, and repeats an interrupted replacement', async () => {
  const { db } = database;
  const readIndexes = async () => {
    const { rows } = await sql<{ definition: string }>`
      select pg_get_indexdef(indexrelid) as definition from pg_index where indisvalid and indrelid = 'changed'::regclass`.execute(
      db,
    );
    return rows.map(({ definition }) => definition.replace(/^.* using /i, ''));
  };
  await sql`create table changed (id int, name text)`.execute(db);
  await sql`create index changed_id on changed (id)`.execute(db);
  const migration: Migration = { up: runAll(replaceIndex('changed_id', 'changed (id) include (name)')) };
  const writer = await db.startTransaction().execute();
  await sql`insert into changed (id) values (1)`.execute(writer);
  const replacing = migration.up(db);
  await waitUntil(
    async () => {
      const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'create index%changed%'`;
      return (await waiting.execute(db)).rows.length > 0;
    },
    { everyMs: 10, what: 'a waiting build' },
  );
  expect(await readIndexes()).toEqual(['btree (id)']);
  await writer.commit().execute();
  await replacing;
  await sql`alter index changed_id rename to changed_id_new`.execute(db);
  await migration.up(db);
  expect(await readIndexes()).toEqual(['btree (id) INCLUDE (name)']);
});

it('repeats a migration that ended in a deadlock', async () => {
  const errors = [Object.assign(new Error('deadlock detected'), { code: '40P01' })];
  const step = () => {
    const error = errors.pop();
    return error ? Promise.reject(error) : Promise.resolve('applied');
  };
  expect(await retryLocks(step)).toBe('applied');
});
