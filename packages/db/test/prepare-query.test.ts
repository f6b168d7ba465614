import { claimLock, withClaimLock } from '@uprez/db/locks';
import { openDb } from '@uprez/db/open-db';
import { prepareLocked, prepareQuery } from '@uprez/db/prepare-query';
import { findSessionUser } from '@uprez/db/queries/accounts/sessions';
import { findApiKeyByHash } from '@uprez/db/queries/api-keys/api-keys';
import { findJob, findJobWithFiles } from '@uprez/db/queries/jobs/jobs';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';

const database = fileFixture(openTestDatabase);
/** One connection, so that all queries share its prepared statements. */
const single = fileFixture(async () => openDb({ url: database.url, poolSize: 1, onError: () => {} }));

type Statement = { statement: string; runs: number };
async function listStatements(): Promise<Statement[]> {
  const { rows } = await sql<Statement>`
    select statement, generic_plans + custom_plans as runs from pg_prepared_statements`.execute(single.db);
  return rows;
}

describe('a prepared query', () => {
  it('is parsed once per connection, and takes the parameters of each call', async () => {
    const add = prepareQuery(
      (_db, { a, b }: { a: number; b: number }) => sql<{ sum: number }>`select ${b}::integer + ${a}::integer as sum`,
    );
    expect(await add(single.db, { a: 1, b: 2 })).toEqual([{ sum: 3 }]);
    expect(await add(single.db, { a: 20, b: 10 })).toEqual([{ sum: 30 }]);
    expect(await listStatements()).toEqual([{ statement: 'select $1::integer + $2::integer as sum', runs: 2 }]);
  });

  it('runs in a transaction', async () => {
    const setName = prepareQuery(
      (_db, { name }: { name: string }) => sql<{ name: string }>`
        insert into instance (name, value) values (${name}, '') returning name`,
    );
    const inserting = single.db.transaction().execute(async (tx) => {
      expect(await setName(tx, { name: 'rolled back' })).toEqual([{ name: 'rolled back' }]);
      throw new Error('roll back');
    });
    await expect(inserting).rejects.toThrow('roll back');
    expect(await single.db.selectFrom('instance').selectAll().where('name', '=', 'rolled back').execute()).toEqual([]);
  });
});

/** Where the write-ahead log ends. */
type Place = { commits: string; place: string };

/** Tests of other files share the server, so its advisory locks include theirs. */
async function countLocks({ granted }: { granted: boolean }): Promise<number> {
  const { rows } = await sql`
    select from pg_locks join pg_database on pg_database.oid = database and datname = current_database()
    where locktype = 'advisory' and granted = ${granted}`.execute(database.db);
  return rows.length;
}

describe('a locked query', () => {
  const addFact = prepareLocked(
    claimLock,
    ({ name }: { name: string }) => sql<{ name: string }>`
      insert into instance (name, value) values (${name}, (1 / length(${name}))::text) returning name`,
  );
  const names = async () => {
    const rows = await database.db.selectFrom('instance').select('name').where('name', 'like', 'locked%').execute();
    return rows.map(({ name }) => name).toSorted();
  };

  it('is committed, or throws its error and leaves the connection usable', async () => {
    expect(await addFact(single.db, { name: 'locked 1' })).toEqual([{ name: 'locked 1' }]);
    await expect(addFact(single.db, { name: '' })).rejects.toThrow('division by zero');
    await expect(addFact(single.db, { name: 'locked 1' })).rejects.toThrow('duplicate key');
    expect(await addFact(single.db, { name: 'locked 2' })).toEqual([{ name: 'locked 2' }]);
    expect(await names()).toEqual(['locked 1', 'locked 2']);
    expect(await countLocks({ granted: true })).toBe(0);
  });

  it('waits while another transaction has the lock', async () => {
    const { adding } = await withClaimLock(database.db, async () => {
      const added = addFact(single.db, { name: 'locked 3' });
      await waitUntil(async () => (await countLocks({ granted: false })) > 0);
      expect(await names()).not.toContain('locked 3');
      return { adding: added };
    });
    expect(await adding).toEqual([{ name: 'locked 3' }]);
  });

  const readPlace = sql<Place>`
    insert into instance (name, value) values (gen_random_uuid(), '')
    returning current_setting('synchronous_commit') as commits, pg_current_wal_insert_lsn()::text as place`;
  const readLocked = prepareLocked(claimLock, () => readPlace);
  it.each([
    ['alone', async () => (await readLocked(single.db, {}))[0]],
    ['in a transaction', () => withClaimLock(single.db, async (tx) => (await readPlace.execute(tx)).rows[0])],
  ])("doesn't wait for the disk while it holds the lock, but before it returns: %s", async (_, read) => {
    const { commits, place } = (await read()) as Place;
    expect(commits).toBe('off');
    const { rows } = await sql`
      select current_setting('synchronous_commit') as commits, pg_current_wal_flush_lsn() > ${place}::pg_lsn as written`.execute(
      single.db,
    );
    expect(rows).toEqual([{ commits: 'on', written: true }]);
  });
});

describe('the queries of polling clients', () => {
  it('keep working while a migration adds columns', async () => {
    const [id, hash] = [crypto.randomUUID(), Buffer.alloc(32)];
    const queries = [
      () => findSessionUser(single.db, hash, 60),
      () => findApiKeyByHash(single.db, hash),
      () => findJob(single.db, id),
      () => findJobWithFiles(single.db, id),
    ];
    const before = (await listStatements()).length;
    for (const query of queries) expect(await query()).toBeUndefined();
    expect(await listStatements()).toHaveLength(before + queries.length);
    for (const table of ['users', 'sessions', 'api_keys', 'jobs', 'job_leases', 'objects'])
      await sql.raw(`alter table ${table} add of_next_version text`).execute(database.db);
    for (const query of queries) expect(await query()).toBeUndefined();
  });
});
