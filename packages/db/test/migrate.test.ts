import { readdir, readFile } from 'node:fs/promises';
import { migrate } from '@uprez/db/migrate';
import { findInstanceFact } from '@uprez/db/queries/instance/instance';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';

let database: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  database = await openTestDatabase({ empty: true });
});
afterAll(() => database.close());

async function columns(): Promise<Record<string, string[]>> {
  const { rows } = await sql<{ table: string; column: string }>`
    select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%' order by 1, 2`.execute(database.db);
  const tables: Record<string, string[]> = {};
  for (const { table, column } of rows) tables[table] = [...(tables[table] ?? []), column];
  return tables;
}

const toSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const tablesFolder = new URL('../src/tables/', import.meta.url);

/** Returns the columns of a table's type from its source, because types do not exist at run time. */
async function typedColumns(table: string): Promise<string[]> {
  const files = await readdir(tablesFolder);
  const sources = await Promise.all(files.map((file) => readFile(new URL(file, tablesFolder), 'utf8')));
  const name = table.replace(/(?:^|_)([a-z])/g, (_match, letter: string) => letter.toUpperCase());
  const [, body = ''] = sources.join('').split(`type ${name}Table = {`);
  return [...body.slice(0, body.indexOf('\n};')).matchAll(/^ {2}(\w+): /gm)]
    .map(([, column = '']) => toSnakeCase(column))
    .sort();
}

test('creates exactly the tables and columns of the types in an empty database', async () => {
  expect(await migrate(database.db)).toEqual(['202612011700-baseline']);
  const made = await columns();
  const tables = [
    'access_events',
    'account_pools',
    'account_tasks',
    'account_tokens',
    'account_views',
    'allowances',
    'analytics_state',
    'anomalies',
    'api_key_days',
    'api_key_hours',
    'api_key_networks',
    'api_keys',
    'article_categories',
    'article_drafts',
    'article_revisions',
    'article_search',
    'article_votes',
    'articles',
    'attempts',
    'audits',
    'batch_items',
    'batches',
    'billing_calls',
    'billing_customers',
    'billing_mails',
    'campaign_mails',
    'campaigns',
    'categories',
    'category_redirects',
    'cohort_months',
    'coupon_redemptions',
    'coupons',
    'daily_counts',
    'deleted_account_days',
    'devices',
    'disputes',
    'events',
    'failure_days',
    'idempotency_keys',
    'image_url_results',
    'image_url_settings',
    'incident_services',
    'incident_updates',
    'incidents',
    'instance',
    'invitations',
    'invoice_lines',
    'invoices',
    'job_days',
    'job_leases',
    'job_time_days',
    'job_time_months',
    'jobs',
    'leads',
    'ledger',
    'legal_media',
    'legal_versions',
    'media',
    'media_files',
    'media_uses',
    'money_back_cards',
    'mrr_accounts',
    'objects',
    'outbox',
    'passkey_challenges',
    'passkeys',
    'payments',
    'plan_pools',
    'pools',
    'preview_links',
    'prices',
    'probe_days',
    'probes',
    'queue_changes',
    'queue_heads',
    'recovery_codes',
    'refunds',
    'rejected_images',
    'result_deliveries',
    'revenue_days',
    'scheduled_tasks',
    'search_days',
    'search_words',
    'sessions',
    'settings',
    'settings_versions',
    'site_days',
    'slug_redirects',
    'status_overrides',
    'stripe_checks',
    'stripe_events',
    'subscribers',
    'subscriptions',
    'term_acceptances',
    'ticket_files',
    'ticket_messages',
    'tickets',
    'usage_days',
    'users',
    'webhook_attempts',
    'webhook_deliveries',
    'webhook_endpoints',
    'workers',
  ];
  expect(Object.keys(made)).toEqual(tables);
  for (const table of tables) expect(made[table]?.toSorted(), table).toEqual(await typedColumns(table));
});

test('changes nothing when run again', async () => {
  expect(await migrate(database.db)).toEqual([]);
});

/** Stores the names of migrations as the last version before the baseline did. */
async function storeFormerNames(...names: string[]) {
  await sql`delete from kysely_migration`.execute(database.db);
  for (const name of names)
    await sql`insert into kysely_migration (name, "timestamp") values (${name}, '2026-11-02T03:04:05.678Z')`.execute(
      database.db,
    );
}

const readNames = async () =>
  (await sql<{ name: string }>`select name from kysely_migration order by name`.execute(database.db)).rows;

test('adopts the baseline in a database of the last version before it', async () => {
  await storeFormerNames('0001-first-tables', '0080-money-back-cards', '0083-queue-indexes');
  expect(await migrate(database.db)).toEqual([]);
  expect(await readNames()).toEqual([{ name: '202612011700-baseline' }]);
  expect(await findInstanceFact(database.db, 'money_back_rule_since')).toBe('2026-11-02T03:04:05.678Z');
});

test('refuses a database of an older version, and changes nothing', async () => {
  await storeFormerNames('0001-first-tables', '0082-daily-counts');
  await expect(migrate(database.db)).rejects.toThrow("it doesn't have 0083-queue-indexes");
  expect(await readNames()).toEqual([{ name: '0001-first-tables' }, { name: '0082-daily-counts' }]);
});
