import { fileFixture, testFixture } from '@uprez/testing/fixtures';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { claimItemToFetch } from '../src/queries/jobs/items-to-fetch.ts';
import { claimResultDelivery } from '../src/queries/jobs/result-deliveries.ts';

const database = fileFixture(openTestDatabase);
const share = { leaseS: 60, perAccount: 2, withFree: false };

/** An image to fetch, and a result to upload, that are in no queue: as if their rows had been written before there were any. */
const old = testFixture(async () => {
  const { db } = database;
  const [account, batch, toFetch, toUpload] = Array.from({ length: 4 }, () => crypto.randomUUID());
  await sql`
    insert into users (id, email, username, password_hash, tier)
    values (${account}, ${account}, ${account}, 'none', 'api_pro')`.execute(db);
  await sql`
    insert into batches (id, account_id, recipe, expires_at)
    values (${batch}, ${account}, '{}', now() + interval '1 day')`.execute(db);
  await sql`
    insert into batch_items (id, batch_id, position, client_id, name, relative_path, unit_id, image_url)
    values (${toFetch}, ${batch}, 1, '1', 'a.png', '', ${toFetch}, 'https://images.example/'),
      (${toUpload}, ${batch}, 2, '2', 'b.png', '', ${toUpload}, null)`.execute(db);
  await sql`
    insert into result_deliveries (item_id, target, host, next_at)
    values (${toUpload}, 'sealed', 'bucket.example', now())`.execute(db);
  for (const table of [sql`batch_items`, sql`result_deliveries`])
    await sql`update ${table} set queue_account_id = null, queue_is_sandbox = null`.execute(db);
  return { account, toFetch, toUpload, close: () => sql`delete from users where id = ${account}`.execute(db) };
});

const queueOf = async (id: string | undefined) => {
  const items = database.db
    .selectFrom('batchItems')
    .select('queueAccountId')
    .where('id', '=', id ?? '');
  return (await items.executeTakeFirstOrThrow()).queueAccountId;
};

it('adds no item of a deleted API key when its batch is retried', async () => {
  const { db } = database;
  await sql`update batches set surface = 'api' where account_id = ${old.account}`.execute(db);
  await sql`update batch_items set status = 'failed' where id = ${old.toFetch}`.execute(db);
  await sql`update batch_items set status = 'waiting' where id = ${old.toFetch}`.execute(db);
  expect(await queueOf(old.toFetch)).toBeNull();
});

it('adds an item to the queue when it is tried again, and a delivery when it becomes due', async () => {
  const { db } = database;
  expect([await claimItemToFetch(db, share), await claimResultDelivery(db, share)]).toEqual([undefined, undefined]);
  await sql`update batch_items set status = 'failed' where id = ${old.toFetch}`.execute(db);
  await sql`update batch_items set queue_account_id = null where id = ${old.toFetch}`.execute(db);
  expect(await claimItemToFetch(db, share)).toBeUndefined();
  await sql`update batch_items set status = 'waiting' where id = ${old.toFetch}`.execute(db);
  await sql`update result_deliveries set next_at = now() where item_id = ${old.toUpload}`.execute(db);
  expect(await claimItemToFetch(db, share)).toMatchObject({ id: old.toFetch });
  expect(await claimResultDelivery(db, share)).toMatchObject({ itemId: old.toUpload });
});
