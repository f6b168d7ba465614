// cspell:ignore regnamespace
import type { DbOrTx } from '@uprez/db/database';
import { insertApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { deleteApiKey } from '@uprez/db/queries/api-keys/delete-api-keys';
import { listOverdueBatches } from '@uprez/db/queries/jobs/batches';
import { claimItemToFetch } from '@uprez/db/queries/jobs/items-to-fetch';
import { claimResultDelivery } from '@uprez/db/queries/jobs/result-deliveries';
import {
  listDueDestinations,
  maxOldestDeliveries,
  maxSearchedDestinations,
} from '@uprez/db/queries/webhooks/due-destinations';
import { claimDelivery } from '@uprez/db/queries/webhooks/webhook-deliveries';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const database = fileFixture(openTestDatabase);
/** Webhook deliveries that wait for another attempt. */
const idle = fileFixture(openTestDatabase);

const [accounts, each, many] = [200, 10, 50_000];
/** Items of a batch, and deliveries of an event. */
const size = 100;
/** Rows that a claim may read for an account that waits, in indexes and tables. */
const rowsOfAccount = 10;
const bound = rowsOfAccount * (accounts + 1);

/** The account of many items, then those of few. */
const seeded = fileFixture(async () => {
  const users = await Promise.all(Array.from({ length: accounts + 1 }, () => makeUser(database.db, 'api_pro')));
  const ids = users.map(({ accountId }) => accountId);
  await seedItems(ids);
  await seedWebhooks(ids);
  await sql`vacuum analyze batches, batch_items, result_deliveries, webhook_deliveries, events, users`.execute(
    database.db,
  );
  return { ids };
});

/** Waiting items with URLs, and as many items whose results are due. Those of many items have waited for longest. */
async function seedItems(ids: readonly string[]): Promise<void> {
  await sql`
    insert into batches (id, account_id, recipe, surface, expires_at)
    select gen_random_uuid(), account_id, jsonb_build_object('kind', kind, 'items', items, 'hours', hours), 'web',
      now() + interval '1 day'
    from (
      select id as account_id, case place when 1 then 2 else 1 end as hours,
        case place when 1 then ${many / size}::int else 1 end as batches,
        case place when 1 then ${size}::int else ${each}::int end as items
      from unnest(${ids}::uuid[]) with ordinality owner (id, place)
    ) owners, generate_series(1, batches), unnest(array['fetch', 'upload']) kind`.execute(database.db);
  await sql`
    insert into batch_items (id, batch_id, position, client_id, name, relative_path, unit_id, image_url, fetch_at, status)
    select gen_random_uuid(), id, position, position, 'a.png', '', gen_random_uuid(), case recipe->>'kind' when 'fetch' then 'https://images.example/' end,
      now() - make_interval(hours => (recipe->>'hours')::int, secs => position),
      case recipe->>'kind' when 'fetch' then 'waiting' else 'taken' end
    from batches, generate_series(1, (recipe->>'items')::int) position`.execute(database.db);
  await sql`
    insert into result_deliveries (item_id, target, host, next_at)
    select id, 'sealed', 'bucket.example', fetch_at from batch_items where image_url is null`.execute(database.db);
}

/** Due deliveries: one endpoint of many, and one of few for each other account. */
async function seedWebhooks(ids: readonly string[]): Promise<void> {
  await sql`
    with owners as (
      select id as account_id, place, case place when 1 then ${many}::int else ${each}::int end as deliveries
      from unnest(${ids}::uuid[]) with ordinality owner (id, place)
    ), endpoints as (
      insert into webhook_endpoints (id, account_id, kind, url, is_sandbox, secret)
      select account_id, account_id, 'endpoint', 'https://hooks.example/', false, 'sealed' from owners
    ), rows as materialized (
      select gen_random_uuid() as id, account_id, place, n from owners, generate_series(1, deliveries) n
    ), added as (
      insert into events (id, account_id, type, is_sandbox, data)
      select id, account_id, 'webhook.test', false, '{}' from rows
    )
    insert into webhook_deliveries (id, event_id, endpoint_id, lane, next_at)
    select id, id, account_id, account_id::text,
      now() - make_interval(hours => case place when 1 then 2 else 1 end, secs => n % 60) from rows`.execute(
    database.db,
  );
}

/** Rows of tables and entries of indexes that the connection of a transaction has read and not reported yet. */
async function readCount(tx: DbOrTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select sum(pg_stat_get_xact_tuples_returned(oid))::float8 as count from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'i')`.execute(tx);
  return rows[0]?.count ?? Number.NaN;
}

/** Counts in a transaction, because the statistics of other connections arrive at any time. */
const countRows = <T>(query: (tx: DbOrTx) => Promise<T>, { db } = database): Promise<{ read: number; result: T }> =>
  db.transaction().execute(async (tx) => {
    // Rows that other processes read for it aren't counted.
    await sql`set local max_parallel_workers_per_gather = 0`.execute(tx);
    const before = await readCount(tx);
    const result = await query(tx);
    return { result, read: (await readCount(tx)) - before };
  });

const claim = { leaseS: 60, perAccount: 2, withFree: true };

it('claims an item to fetch without reading the backlog of each account', async () => {
  const [busy] = seeded.ids;
  const take = () => countRows((tx) => claimItemToFetch(tx, claim));
  const first = await take();
  expect(first.result?.accountId).toBe(busy);
  expect(first.read).toBeLessThan(bound);
  const second = await take();
  expect(seeded.ids.indexOf(second.result?.accountId ?? '')).toBeGreaterThan(0);
  expect(second.read).toBeLessThan(bound);
});

it('finds overdue batches without reading those that ended', async () => {
  const [ended, waiting] = [20_000, many / size + accounts];
  const { accountId } = await makeUser(database.db, 'api_pro');
  await sql`
    with added as (
      insert into batches (id, account_id, recipe, expires_at)
      select gen_random_uuid(), ${accountId}, '{}', now() - interval '1 day' from generate_series(0, ${ended}::int) returning id
    ), numbered as (select id, row_number() over () as n from added)
    insert into batch_items (id, batch_id, position, client_id, name, relative_path, unit_id, status)
    select gen_random_uuid(), id, 1, '1', 'a.png', '', gen_random_uuid(), case n when 1 then 'waiting' else 'taken' end
    from numbered`.execute(database.db);
  await sql`vacuum analyze batches, batch_items`.execute(database.db);
  const { result, read } = await countRows((tx) => listOverdueBatches(tx));
  expect(result).toHaveLength(1);
  expect(read).toBeLessThan(rowsOfAccount * waiting);
});

it('claims an item to fetch without reading those of a deleted API key', async () => {
  const { accountId } = await makeUser(database.db, 'api_pro');
  const key = { id: crypto.randomUUID(), accountId, name: 'CI', kind: 'live' as const };
  await insertApiKey(database.db, { ...key, scopes: [], preview: 'upz_live_…', secretHash: Buffer.from(key.id) });
  const batchId = crypto.randomUUID();
  await sql`
    insert into batches (id, account_id, recipe, surface, api_key_id, expires_at)
    values (${batchId}, ${accountId}, '{}', 'api', ${key.id}, now() + interval '1 day')`.execute(database.db);
  await sql`
    insert into batch_items (id, batch_id, position, client_id, name, relative_path, unit_id, image_url, fetch_at)
    select gen_random_uuid(), ${batchId}, n, n, 'a.png', '', gen_random_uuid(), 'https://images.example/', now() - interval '3 hours'
    from generate_series(1, ${2 * bound}::int) n`.execute(database.db);
  expect((await claimItemToFetch(database.db, claim))?.batchId).toBe(batchId);
  await deleteApiKey(database.db, accountId, key.id);
  await sql`vacuum batch_items`.execute(database.db);
  const { result, read } = await countRows((tx) => claimItemToFetch(tx, claim));
  expect(result?.accountId).not.toBe(accountId);
  expect(read).toBeLessThan(bound);
});

it('claims a result to upload without reading the backlog of each account', async () => {
  const ownerOf = async (itemId: string | undefined) => {
    const { rows } = await sql<{ id: string }>`
      select batches.account_id as id from batch_items join batches on batches.id = batch_id
      where batch_items.id = ${itemId}`.execute(database.db);
    return seeded.ids.indexOf(rows[0]?.id ?? '');
  };
  const take = () => countRows((tx) => claimResultDelivery(tx, claim));
  const first = await take();
  expect(await ownerOf(first.result?.itemId)).toBe(0);
  expect(first.read).toBeLessThan(bound);
  const second = await take();
  expect(await ownerOf(second.result?.itemId)).toBeGreaterThan(0);
  expect(second.read).toBeLessThan(bound);
});

const due = { limit: 500, ofOne: 8 };

it('lists due webhook destinations without reading the backlog of each', async () => {
  const { result, read } = await countRows((tx) => listDueDestinations(tx, due));
  expect(result).toHaveLength(accounts + 1);
  expect(result[0]).toMatchObject({ destination: seeded.ids[0], accountId: seeded.ids[0], failing: false });
  expect(read).toBeLessThan(bound + maxOldestDeliveries);
});

/** Deliveries of the jobs of an account, each to another port. */
async function seedPorts({ db }: typeof database, count: number): Promise<string> {
  const { accountId } = await makeUser(db, 'api_basic');
  await sql`
    with endpoint as (
      insert into webhook_endpoints (id, account_id, kind, is_sandbox, secret)
      values (${accountId}, ${accountId}, 'jobs', true, 'sealed')
    ), added as (
      insert into events (id, account_id, type, is_sandbox, data)
      select gen_random_uuid(), ${accountId}, 'webhook.test', true, '{}' from generate_series(1, ${count}::int) returning id
    )
    insert into webhook_deliveries (id, event_id, endpoint_id, url, lane, step, next_at)
    select id, id, ${accountId}, 'https://x.example', ${accountId} || ' x.example:' || row_number() over (), 1,
      now() + interval '1 hour' from added`.execute(db);
  await sql`vacuum analyze webhook_deliveries, webhook_endpoints`.execute(db);
  return accountId;
}

it('lists due webhook destinations without reading those that are not due', async () => {
  const accountId = await seedPorts(idle, 10_000);
  const none = await countRows((tx) => listDueDestinations(tx, due), idle);
  expect(none).toMatchObject({ result: [], read: expect.toSatisfy((read) => read < rowsOfAccount) });
  await sql`
    update webhook_deliveries set next_at = now() - interval '1 hour' where lane like '%:77'`.execute(idle.db);
  const one = await countRows((tx) => listDueDestinations(tx, due), idle);
  expect(one.result).toEqual([{ destination: `${accountId} x.example:77`, accountId, failing: true, due: 1 }]);
  expect(one.read).toBeLessThan(3 * rowsOfAccount);
});

it('lists due webhook destinations of others while one account has many', async () => {
  const accountId = await seedPorts(database, 10_000);
  const { result, read } = await countRows((tx) => listDueDestinations(tx, due));
  expect(result.filter((one) => one.accountId !== accountId)).toHaveLength(accounts + 1);
  expect(read).toBeLessThan(bound + maxOldestDeliveries + rowsOfAccount * maxSearchedDestinations);
  await sql`
    update webhook_deliveries set next_at = now() - interval '1 day' where endpoint_id = ${accountId}`.execute(
    database.db,
  );
  await sql`vacuum webhook_deliveries`.execute(database.db);
  const crowded = await countRows((tx) => listDueDestinations(tx, due));
  expect(crowded.result.filter((one) => one.accountId !== accountId)).toHaveLength(accounts + 1);
  expect(crowded.result.filter((one) => one.accountId === accountId)).toHaveLength(due.ofOne);
  expect(crowded.read).toBeLessThan(bound + maxOldestDeliveries + rowsOfAccount * maxSearchedDestinations);
});

it('claims a webhook delivery without reading the others of its destination', async () => {
  const { result, read } = await countRows((tx) => claimDelivery(tx, seeded.ids[0] ?? '', 60));
  expect(result).toMatchObject({ attempts: 1 });
  expect(read).toBeLessThan(rowsOfAccount);
});

it('claims different rows at once, however many wait in one queue', async () => {
  const claims = Array.from({ length: 8 }, () => claimItemToFetch(database.db, claim));
  const uploads = Array.from({ length: 8 }, () => claimResultDelivery(database.db, claim));
  const ids = [
    ...(await Promise.all(claims)).map((item) => item?.id),
    ...(await Promise.all(uploads)).map((result) => result?.itemId),
  ];
  expect(ids).not.toContain(undefined);
  expect(new Set(ids).size).toBe(ids.length);
});
