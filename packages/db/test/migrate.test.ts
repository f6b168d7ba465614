import { readdir, readFile } from 'node:fs/promises';
import { migrate } from '@uprez/db/migrate';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { batchPages } from '../src/migrations/0007-batch-pages.ts';
import { estimatedSeconds } from '../src/migrations/0011-estimated-seconds.ts';
import { settledPlans } from '../src/migrations/0018-settled-plans.ts';
import { roles } from '../src/migrations/0027-roles.ts';
import { auditLog } from '../src/migrations/0033-audit-log.ts';
import { analyticsCorrections } from '../src/migrations/0042-analytics-corrections.ts';
import { queueHeads } from '../src/migrations/0059-queue-heads.ts';
import { readQueue } from '../src/queries/jobs/queued-jobs.ts';

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
  const [, body = ''] = sources.join('').split(`export type ${name}Table = {`);
  return [...body.slice(0, body.indexOf('\n};')).matchAll(/^ {2}(\w+): /gm)]
    .map(([, column = '']) => toSnakeCase(column))
    .sort();
}

test('creates exactly the tables and columns of the types in an empty database', async () => {
  expect(await migrate(database.db)).toEqual([
    '0001-first-tables',
    '0002-accounts',
    '0003-metering',
    '0004-public-api',
    '0005-scheduled-tasks',
    '0006-job-leases',
    '0007-batch-pages',
    '0008-attempt-seconds',
    '0009-charged-cancels',
    '0010-failure-causes',
    '0011-estimated-seconds',
    '0012-quota-emails',
    '0013-batch-emails',
    '0014-passkeys',
    '0015-prices',
    '0016-stripe-events',
    '0017-billing-mirror',
    '0018-settled-plans',
    '0019-billing-calls',
    '0019-paid-cycles',
    '0020-payments',
    '0022-coupons',
    '0023-plan-changes',
    '0024-payment-lists',
    '0025-pack-invoices',
    '0025-payment-cards',
    '0026-checkout-links',
    '0026-stripe-event-search',
    '0027-call-kinds',
    '0027-roles',
    '0028-step-up',
    '0029-invitations',
    '0030-user-lists',
    '0032-account-views',
    '0033-audit-log',
    '0034-access-log',
    '0035-service-keys',
    '0036-settings-versions',
    '0037-job-operations',
    '0038-analytics',
    '0039-time-ranges',
    '0040-month-index',
    '0041-moved-sources',
    '0042-analytics-corrections',
    '0043-security-logs',
    '0044-articles',
    '0046-tickets',
    '0047-help',
    '0048-status',
    '0049-time-months',
    '0050-media',
    '0051-newsletter',
    '0052-legal-versions',
    '0053-search-indexes',
    '0054-subscriber-mailboxes',
    '0055-kept-media',
    '0056-image-urls',
    '0057-result-deliveries',
    '0059-queue-heads',
    '0060-job-traces',
    '0061-worker-pools',
    '0062-audit-accounts',
    '0063-help-words',
    '0064-withdrawn-legal-versions',
    '0065-canceled-maintenance',
    '0066-audit-account-index',
    '0067-repeated-jobs',
    '0068-paused-batches',
    '0069-fillable-audits',
    '0070-key-origins',
    '0073-job-facts',
    '0074-job-fact-indexes',
    '0075-locked-sign-ins',
    '0076-key-origin-index',
    '0080-money-back-cards',
    '0081-reference-indexes',
    '0082-daily-counts',
    '0083-queue-accounts',
    '0083-queue-indexes',
  ]);
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

test('down removes everything, and up works again', async () => {
  const made = await columns();
  await migrate(database.db, 'down');
  expect(await columns()).toEqual({});
  await migrate(database.db);
  expect(await columns()).toEqual(made);
});

test('0007 removes stored error details that end with the former assurance', async () => {
  const { db } = database;
  await migrate(db, 'down');
  await migrate(db);
  await sql`
    insert into jobs (id, kind, status, recipe, plan, filename, source_bytes, error_code, error_detail, finished_at)
    select gen_random_uuid(), 'image', 'failed', '{}', '{}', 'a.png', 1, 'corrupt_image', detail, now()
    from (values ('The image is damaged. Nothing was charged.'), ('The image is damaged.')) as details (detail)`.execute(
    db,
  );
  await batchPages.down?.(db);
  await batchPages.up(db);
  const jobs = await db.selectFrom('jobs').select('errorDetail').execute();
  expect(jobs.map(({ errorDetail }) => errorDetail).sort()).toEqual(['The image is damaged.', null]);
});

test('0011 stores the estimates of queued jobs, and those of older versions are read from their plans', async () => {
  const { db } = database;
  await estimatedSeconds.down?.(db);
  const insertJob = async (seconds: number) => {
    const plan = JSON.stringify({ estimate: { seconds } });
    // As the former version does.
    await sql`
      insert into jobs (id, kind, status, recipe, plan, filename, source_bytes)
      values (gen_random_uuid(), 'image', 'queued', '{}', ${plan}, 'a.png', 1)`.execute(db);
  };
  await insertJob(7);
  await estimatedSeconds.up(db);
  await insertJob(8);
  const rows = await db
    .selectFrom('jobs')
    .select('estimatedSeconds')
    .where('status', '=', 'queued')
    .orderBy('createdAt')
    .execute();
  expect(rows.map((row) => row.estimatedSeconds)).toEqual([7, null]);
  const { jobs } = await readQueue(db, 10);
  expect(jobs.map(({ seconds }) => seconds)).toEqual([7, 8]);
});

test('0018 turns tiers that administrators gave into overrides, and back', async () => {
  const { db } = database;
  // Its trigger reads a column of this migration.
  await queueHeads.down?.(db);
  await settledPlans.down?.(db);
  const until = new Date('2100-01-01T00:00:00Z');
  const insertUser = (name: string, tier: string, tierUntil: Date | null) =>
    sql`
    insert into users (id, email, username, password_hash, tier, tier_until, tier_reason)
    values (gen_random_uuid(), ${name}, ${name}, 'none', ${tier}, ${tierUntil}, 'a gift')`.execute(db);
  await insertUser('a-free', 'free', null);
  await insertUser('b-pro', 'pro', null);
  await insertUser('c-until', 'api_pro', until);
  await settledPlans.up(db);
  const rows = await db
    .selectFrom('users')
    .select(['tier', 'overrideTier', 'overrideUntil', 'overrideReason', 'planEndsAt'])
    .orderBy('username')
    .execute();
  const none = { overrideTier: null, overrideUntil: null, overrideReason: null, planEndsAt: null };
  expect(rows).toEqual([
    { tier: 'free', ...none },
    { tier: 'pro', ...none, overrideTier: 'pro', overrideReason: 'a gift' },
    { tier: 'api_pro', overrideTier: 'api_pro', overrideUntil: until, overrideReason: 'a gift', planEndsAt: until },
  ]);
  await settledPlans.down?.(db);
  const { rows: undone } = await sql`select tier, tier_until, tier_before from users order by username`.execute(db);
  expect(undone).toEqual([
    { tier: 'free', tierUntil: null, tierBefore: null },
    { tier: 'pro', tierUntil: null, tierBefore: null },
    { tier: 'api_pro', tierUntil: until, tierBefore: 'free' },
  ]);
  await settledPlans.up(db);
  await queueHeads.up(db);
});

test('0027 makes the oldest active administrator the owner and the others admins, and back', async () => {
  const { db } = database;
  const insertUser = (
    name: string,
    isAdmin: boolean,
    { day = 1, suspendedAt }: { day?: number; suspendedAt?: Date } = {},
  ) =>
    sql`
    insert into users (id, email, username, password_hash, is_admin, created_at, suspended_at)
    values (gen_random_uuid(), ${name}, ${name}, 'none', ${isAdmin}, ${new Date(Date.UTC(2026, 0, day))}, ${suspendedAt ?? null})`.execute(
      db,
    );
  const readRoles = async () => {
    const rows = await db.selectFrom('users').select(['username', 'role']).orderBy('username').execute();
    return rows.map(({ username, role }) => [username, role]);
  };
  await db.deleteFrom('users').execute();
  await roles.down?.(db);
  await insertUser('a-user', false);
  await insertUser('b-suspended', true, { day: 2, suspendedAt: new Date() });
  await insertUser('c-oldest', true, { day: 3 });
  await insertUser('d-newest', true, { day: 4 });
  await roles.up(db);
  const expected = [
    ['a-user', null],
    ['b-suspended', 'admin'],
    ['c-oldest', 'owner'],
    ['d-newest', 'admin'],
  ];
  expect(await readRoles()).toEqual(expected);
  await roles.down?.(db);
  const { rows } = await sql<{ username: string }>`select username from users where is_admin order by username`.execute(
    db,
  );
  expect(rows.map(({ username }) => username)).toEqual(['b-suspended', 'c-oldest', 'd-newest']);
  await db.deleteFrom('users').where('username', '<>', 'b-suspended').execute();
  await roles.up(db);
  expect(await readRoles()).toEqual([['b-suspended', 'owner']]);
});

test('0033 keeps existing rows of the audit log, with the masked email address of who still has an account', async () => {
  const { db } = database;
  await auditLog.down?.(db);
  const { rows: users } = await sql<{ id: string }>`
    insert into users (id, email, username, password_hash)
    values (gen_random_uuid(), 'ada@mail.example', 'ada', 'none'), (gen_random_uuid(), 'bob@localhost', 'bob', 'none')
    returning id`.execute(db);
  for (const id of [...users.map((user) => user.id), null])
    await sql`
      insert into audits (actor_id, action, subject, before, after)
      values (${id}, 'settings.site', 'settings:site', '{}', '{}')`.execute(db);
  await auditLog.up(db);
  const rows = await db.selectFrom('audits').selectAll().orderBy('actorEmail').execute();
  const unknown = { role: null, requestId: null, rejected: null };
  expect(rows).toMatchObject([
    { ...unknown, actorEmail: 'a***@***.example' },
    { ...unknown, actorEmail: 'b***@***' },
    { ...unknown, actorId: null, actorEmail: null },
  ]);
  await auditLog.down?.(db);
  await auditLog.up(db);
});

test('0042 keeps MRR by account, and back', async () => {
  const { db } = database;
  await analyticsCorrections.down?.(db);
  const { rows } = await sql<{ id: string }>`
    insert into users (id, email, username, password_hash) values (gen_random_uuid(), 'eve', 'eve', 'none') returning id`.execute(
    db,
  );
  const id = rows[0]?.id ?? '';
  await sql`
    insert into billing_customers (stripe_id, account_id, former_account_id)
    values ('cus_former', null, ${id}), ('cus_now', ${id}, null), ('cus_deleted', null, null)`.execute(db);
  await sql`
    insert into mrr_accounts (customer_id, tier, cents)
    values ('cus_former', 'pro', 0), ('cus_now', 'api_pro', 900), ('cus_deleted', 'pro', 700)`.execute(db);
  await analyticsCorrections.up(db);
  expect(await db.selectFrom('mrrAccounts').select(['payerId', 'tier', 'cents']).orderBy('cents').execute()).toEqual([
    { payerId: 'cus_deleted', tier: 'pro', cents: '700' },
    { payerId: id, tier: 'api_pro', cents: '900' },
  ]);
  await analyticsCorrections.down?.(db);
  const { rows: undone } = await sql`select customer_id from mrr_accounts order by cents`.execute(db);
  expect(undone).toEqual([{ customerId: 'cus_deleted' }, { customerId: 'cus_now' }]);
  await analyticsCorrections.up(db);
});
