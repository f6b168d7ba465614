import { openDb } from '@uprez/db/open-db';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const timeouts = { statementMs: 200, lockMs: 100, idleInTransactionMs: 100 };
function open() {
  const { db, close } = openDb({ url: database.url, poolSize: 2, onError: () => {}, timeouts });
  onTestFinished(close);
  return db;
}

const countRunning = async (text: string) => {
  const { rows } = await sql`select from pg_stat_activity
    where query like ${`%${text}%`} and state = 'active' and pid <> pg_backend_pid()`.execute(database.db);
  return rows.length;
};

describe('the timeouts of a connection', () => {
  it('cancel a slow statement on the server', async () => {
    await expect(sql`select pg_sleep(60) as slow_statement`.execute(open())).rejects.toMatchObject({ code: '57014' });
    expect(await countRunning('slow_statement')).toBe(0);
  });

  it('end the wait for a lock', async () => {
    await database.db.transaction().execute(async (tx) => {
      await sql`lock table instance`.execute(tx);
      const waiting = open().selectFrom('instance').selectAll().execute();
      await expect(waiting).rejects.toMatchObject({ code: '55P03' });
    });
  });

  it('end a transaction while its process is idle', async () => {
    const idle = open()
      .transaction()
      .execute(async (tx) => {
        await sql`lock table instance`.execute(tx);
        await database.db.selectFrom('instance').selectAll().execute();
        await sql`select 1`.execute(tx);
      });
    await expect(idle).rejects.toThrow(/idle-in-transaction|Connection terminated|connection error/);
  });

  it('default to the values of a service', async () => {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, setting from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout') order by name`.execute(
      database.db,
    );
    expect(rows.map(({ name, setting }) => [name, Number(setting)])).toEqual([
      ['idle_in_transaction_session_timeout', 10_000],
      ['lock_timeout', 10_000],
      ['statement_timeout', 30_000],
    ]);
  });

  it('come without parallel workers', async () => {
    const show = sql<Record<string, string>>`show max_parallel_workers_per_gather`;
    const { rows } = await show.execute(open());
    expect(Object.values(rows[0] ?? {})).toEqual(['0']);
  });
});
