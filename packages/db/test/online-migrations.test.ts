import { migrate } from '@uprez/db/migrate';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTestDatabase, runSql } from '@uprez/testing/open-test-database';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Migrations } from '../src/online-migrations.ts';
import { runAll } from '../src/run-all.ts';

const database = fileFixture(() => openTestDatabase({ empty: true }));

const first: Migrations = { '0001-things': { up: runAll(['create table things (id int)']) } };
const index = ['drop index concurrently if exists things_id', 'create index concurrently things_id on things (id)'];
const all: Migrations = {
  ...first,
  '0058-column': { up: runAll(['alter table things add name text']) },
  '0059-index': { up: runAll(index), isConcurrent: true },
};

it('applies migrations to a table in use, and gives others their turn while it waits for a lock', async () => {
  const { db, url } = database;
  expect(await migrate(db, 'latest', first)).toEqual(['0001-things']);
  const reader = await db.startTransaction().execute();
  await sql`select from things`.execute(reader);
  const migrating = migrate(db, 'latest', all);
  await waitUntil(
    async () => {
      const waiting = sql`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'alter table things%'`;
      return (await waiting.execute(db)).rows.length > 0;
    },
    { timeoutMs: 5_000, everyMs: 10, what: 'a waiting migration' },
  );
  // It is behind the migration in the queue of the table, so it ends when the migration fails.
  await runSql(url, 'select from things');
  await reader.commit().execute();
  expect(await migrating).toEqual(['0058-column', '0059-index']);
  const { rows } = await sql`select indisvalid as valid from pg_index where indexrelid = 'things_id'::regclass`.execute(
    db,
  );
  expect(rows).toEqual([{ valid: true }]);
});

it('applies each migration once when several processes migrate', async () => {
  const more: Migrations = { ...all, '0060-more': { up: runAll(['alter table things add more text']) } };
  const runs = await Promise.all([1, 2, 3].map(() => migrate(database.db, 'latest', more)));
  expect(runs.flat()).toEqual(['0060-more']);
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
    '0060-more': { up: () => Promise.resolve() },
    '0061-unique': { up: runAll(unique), isConcurrent: true },
  };
  await expect(migrate(db, 'latest', more)).rejects.toThrow('could not create unique index');
  await sql`delete from things`.execute(db);
  expect(await migrate(db, 'latest', more)).toEqual(['0061-unique']);
});
