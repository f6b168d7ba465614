import { openDb } from '@uprez/db/open-db';
import { fileFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { waitUntil } from '@uprez/testing/wait-until';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';

const database = fileFixture(openTestDatabase);

it('counts callers that wait for a connection, or for the permission to take one', async () => {
  let isOpen = false;
  const admit = async () => {
    await waitUntil(() => isOpen);
    return () => {};
  };
  const { db, poolStats, close } = openDb({ url: database.url, poolSize: 1, onError: () => {}, admit });
  onTestFinished(close);
  const select = () => sql`select 1`.execute(db);
  const first = select();
  await waitUntil(() => poolStats().waiting === 1);
  isOpen = true;
  await first;
  expect(poolStats().waiting).toBe(0);
  const { others } = await db.transaction().execute(async () => {
    const waiting = Promise.all([select(), select()]);
    await waitUntil(() => poolStats().waiting === 2);
    return { others: waiting };
  });
  await others;
  expect(poolStats().waiting).toBe(0);
});
