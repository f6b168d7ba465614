import { rollUpOldJobs } from '@uprez/db/queries/usage/usage';
import { deleteDueAccounts } from '@uprez/domain/accounts/own-data/delete-account';
import { readAnalytics } from '@uprez/domain/analytics/read-analytics';
import { readReports } from '@uprez/domain/analytics/read-reports';
import { readUsage } from '@uprez/domain/analytics/read-usage';
import { rollUpAnalytics } from '@uprez/domain/analytics/roll-up-analytics';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Settings } from '../../src/context.ts';
import { insertAccount, insertEndedJob, insertPayment, insertSubscription } from './made-up-rows.ts';
import { type Calendar, openCalendar } from './open-calendar.ts';
import { scheduleDeletion } from './schedule-deletion.ts';

const log = { info: () => {}, warn: () => {}, error: () => {} };

let calendar: Calendar;
beforeAll(async () => {
  calendar = await openCalendar();
});
beforeEach(async () => {
  const { db } = calendar;
  // Audits are append-only, so accounts are deleted instead of truncated.
  for (const table of ['jobs', 'payments', 'invoice_lines', 'invoices', 'subscriptions', 'billing_customers', 'users'])
    await sql`delete from ${sql.table(table)}`.execute(db);
  await sql`truncate ${sql.raw(aggregates.join(', '))}`.execute(db);
  await sql`update analytics_state set frozen_until = null, backfilled_until = null, is_backfilled = false`.execute(db);
  await calendar.setNow('2026-11-24T12:00:00Z');
});
afterAll(() => calendar.close());

const aggregates = [
  'job_days',
  'job_time_days',
  'job_time_months',
  'failure_days',
  'site_days',
  'deleted_account_days',
  'revenue_days',
  'mrr_accounts',
  'cohort_months',
] as const;

/** Everything that is kept, sorted. */
async function readAll(): Promise<Record<string, unknown[]>> {
  const kept: Record<string, unknown[]> = {};
  for (const table of aggregates) {
    const { rows } = await sql<{ row: unknown }>`
      select to_jsonb(kept) as row from ${sql.table(table)} as kept order by kept::text`.execute(calendar.db);
    kept[table] = rows.map(({ row }) => row);
  }
  return kept;
}
const rollUp = () => rollUpAnalytics(calendar);
const frozenUntil = async () => {
  const { rows } = await sql<{ day: string }>`select frozen_until::text as day from analytics_state`.execute(
    calendar.db,
  );
  return rows[0]?.day;
};
const countDay = async (day: string) => {
  const { rows } = await sql<{ completed: number; failed: number; users: number }>`
    select coalesce(sum(completed), 0)::int as completed, coalesce(sum(failed), 0)::int as failed,
      (select users from site_days where day = ${day}::date) as users
    from job_days where day = ${day}::date`.execute(calendar.db);
  return rows[0];
};

async function seed(): Promise<string> {
  const { db } = calendar;
  const accountId = await insertAccount(db, { at: '2026-11-10T08:00:00Z' });
  await insertSubscription(db, {
    id: 'sub_1',
    customerId: `cus_${accountId}`,
    at: '2026-11-12T00:00:00Z',
    tier: 'pro',
    amount: 700,
  });
  for (const day of ['11', '15', '21', '24']) {
    await insertEndedJob(db, { accountId, endedAt: `2026-11-${day}T00:00:00Z`, engine: 'photo', waitMs: 500 });
    await insertEndedJob(db, { accountId, endedAt: `2026-11-${day}T09:00:00Z`, surface: 'api', runMs: 90_000 });
    await insertEndedJob(db, { accountId, endedAt: `2026-11-${day}T09:00:00Z`, error: 'corrupt_image' });
    await insertEndedJob(db, { accountId, endedAt: `2026-11-${day}T09:30:00Z`, error: 'cancelled' });
  }
  return accountId;
}

it('keeps the jobs, accounts, and MRR of all days, and freezes those older than 3 days', async () => {
  await seed();
  expect(await rollUp()).toBe(11);
  expect(await frozenUntil()).toBe('2026-11-21');
  expect(await countDay('2026-11-15')).toEqual({ completed: 2, failed: 1, users: 1 });
  expect(await countDay('2026-11-14')).toEqual({ completed: 0, failed: 0, users: 1 });
  const { job_days: jobs = [], failure_days: failures = [], revenue_days: revenue = [] } = await readAll();
  expect(jobs).toContainEqual({
    day: '2026-11-15',
    surface: 'web',
    meter: 'ai',
    engine: 'photo',
    tier: 'free',
    from_deleted: false,
    completed: 1,
    failed: 0,
    cancelled: 0,
    pixels: 32,
    run_ms: 2_000,
    engine_ms: 2_000,
  });
  expect(failures).toHaveLength(4);
  expect(revenue).toContainEqual(
    expect.objectContaining({ day: '2026-11-12', tier: 'pro', accounts: 1, mrr: 700, new_mrr: 700 }),
  );
  expect(revenue.filter((row) => Number((row as { new_mrr: number }).new_mrr) > 0)).toHaveLength(1);
});

it('keeps the same when it is stopped anywhere, repeated, or run twice at once', async () => {
  await seed();
  const { db } = calendar;
  for (const [table, until] of [
    ['site_days', '2026-11-14'],
    ['revenue_days', '2026-11-22'],
    ['cohort_months', '2026-11-01'],
  ] as const) {
    const column = table === 'cohort_months' ? 'month' : 'day';
    await sql`alter table ${sql.table(table)} add constraint cut_off check (${sql.ref(column)} < ${sql.lit(until)}) not valid`.execute(
      db,
    );
    await expect(rollUp()).rejects.toThrow(/cut_off/);
    await sql`alter table ${sql.table(table)} drop constraint cut_off`.execute(db);
  }
  await rollUp();
  const kept = await readAll();
  await Promise.all([rollUp(), rollUp()]);
  expect(await readAll()).toEqual(kept);
  for (const table of aggregates) await sql`truncate ${sql.table(table)}`.execute(db);
  await sql`update analytics_state set frozen_until = null, backfilled_until = null, is_backfilled = false`.execute(db);
  await rollUp();
  expect(await readAll()).toEqual(kept);
});

it('adds late changes to open days only', async () => {
  const accountId = await seed();
  await rollUp();
  await insertEndedJob(calendar.db, { accountId, endedAt: '2026-11-21T10:00:00Z' });
  await insertEndedJob(calendar.db, { accountId, endedAt: '2026-11-15T10:00:00Z' });
  await rollUp();
  expect(await countDay('2026-11-21')).toMatchObject({ completed: 3 });
  expect(await countDay('2026-11-15')).toMatchObject({ completed: 2 });
});

it('keeps the numbers of deleted accounts, without their IDs', async () => {
  const accountId = await seed();
  const other = await insertAccount(calendar.db, { at: '2026-11-23T00:00:00Z', verified: false });
  await insertEndedJob(calendar.db, { accountId: other, endedAt: '2026-11-24T08:00:00Z' });
  await rollUp();
  const before = await readAll();
  for (const id of [accountId, other]) await scheduleDeletion(calendar.db, id);
  expect(await deleteDueAccounts({ ...calendar, log })).toBe(2);
  await rollUp();
  expect(await countDay('2026-11-21')).toEqual({ completed: 2, failed: 1, users: 1 });
  expect(await countDay('2026-11-24')).toEqual({ completed: 3, failed: 1, users: 0 });
  expect(await countDay('2026-11-15')).toEqual({ completed: 2, failed: 1, users: 1 });
  const after = await readAll();
  const sum = (kept: Record<string, unknown[]>, table: string, field: string) =>
    (kept[table] ?? []).reduce((total: number, row) => total + Number((row as Record<string, unknown>)[field]), 0);
  for (const [table, field] of [
    ['job_time_days', 'count'],
    ['failure_days', 'count'],
    ['site_days', 'new_users'],
    ['site_days', 'verified_users'],
    ['site_days', 'active_users'],
    ['cohort_months', 'active'],
  ] as const)
    expect([table, field, sum(after, table, field)]).toEqual([table, field, sum(before, table, field)]);
  expect(sum(after, 'site_days', 'deleted_users')).toBe(2);
  const { mrr_accounts: _, ...withoutIds } = after;
  expect(JSON.stringify(withoutIds)).not.toContain(accountId);
});

it('is done before jobs are deleted', async () => {
  const accountId = await insertAccount(calendar.db, { at: '2026-08-20T00:00:00Z' });
  await insertEndedJob(calendar.db, { accountId, endedAt: '2026-08-21T00:00:00Z' });
  const deleteJobs = () => calendar.db.transaction().execute((tx) => rollUpOldJobs(tx, 90));
  expect(await deleteJobs()).toBe(0);
  await rollUp();
  expect(await deleteJobs()).toBe(1);
  expect(await countDay('2026-08-21')).toMatchObject({ completed: 1 });
});

it('fills in days of jobs that were deleted before the first roll-up', async () => {
  const accountId = await insertAccount(calendar.db, { at: '2026-08-20T00:00:00Z' });
  await sql`
    insert into usage_days (account_id, day, surface, meter, completed, failed, processing_ms)
    values (${accountId}, '2026-08-21', 'api', 'ai', 5, 2, 9000)`.execute(calendar.db);
  await rollUp();
  expect(await countDay('2026-08-21')).toEqual({ completed: 5, failed: 2, users: 1 });
  const { job_days: jobs, site_days: site } = await readAll();
  expect(jobs).toEqual([expect.objectContaining({ engine: 'unknown', surface: 'api', run_ms: 9_000 })]);
  expect(site).toContainEqual(expect.objectContaining({ day: '2026-08-21', active_users: 1 }));
});

it('keeps no paying accounts of a month in which nothing was booked', async () => {
  await seed();
  await rollUp();
  await calendar.setNow('2027-01-05T12:00:00Z');
  await rollUp();
  const { cohort_months: cohorts } = await readAll();
  const paying = (cohorts as { month: string; paying: number | null }[]).map((row) => [row.month, row.paying]);
  expect(Object.fromEntries(paying)).toEqual({ '2026-11-01': 1, '2026-12-01': null, '2027-01-01': 1 });
});

it('counts another customer of an account as the same account, also after its deletion', async () => {
  const accountId = await seed();
  await rollUp();
  await calendar.setNow('2026-11-25T12:00:00Z');
  const { db } = calendar;
  await sql`update billing_customers set account_id = null, former_account_id = ${accountId}`.execute(db);
  await sql`insert into billing_customers (stripe_id, account_id) values ('cus_new', ${accountId})`.execute(db);
  await sql`update subscriptions set status = 'canceled'`.execute(db);
  await insertSubscription(db, { id: 'sub_2', customerId: 'cus_new', at: '2026-11-25', tier: 'pro', amount: 900 });
  await rollUp();
  await scheduleDeletion(db, accountId);
  await deleteDueAccounts({ ...calendar, log });
  await rollUp();
  const { revenue_days: days = [], mrr_accounts: payers } = await readAll();
  const movements = { new_mrr: 0, expansion: 200, reactivation: 0, churn: 0, lost_accounts: 0 };
  expect(days).toContainEqual(expect.objectContaining({ day: '2026-11-25', tier: 'pro', mrr: 900, ...movements }));
  expect(payers).toEqual([{ payer_id: 'cus_new', tier: 'pro', cents: 900 }]);
});

const settings = { read: async () => ({ engineHourCosts: {} }) } as unknown as Settings;
const readPages = async () => {
  const { cohorts: _, ...overview } = await readAnalytics(calendar, { role: 'owner', period: '30d' });
  const reports = await readReports({ ...calendar, settings }, { role: 'owner', period: '30d' });
  return { overview, reports, usage: await readUsage(calendar, { period: '30d' }) };
};

it('returns the same before and after days are rolled up, and names those that are missing after a week', async () => {
  const accountId = await seed();
  await rollUp();
  const customer = { customerId: `cus_${accountId}`, subscriptionId: 'sub_1', priceId: 'none' };
  for (const day of ['11-24T20', '11-25T10', '11-26T23', '11-27T10']) {
    const at = `2026-${day}:00:00Z`;
    await calendar.setNow(at);
    await insertAccount(calendar.db, { at });
    await insertEndedJob(calendar.db, { accountId, endedAt: at, engine: 'photo', runMs: 4_000 });
    await insertEndedJob(calendar.db, { accountId, endedAt: at, surface: 'api', error: 'corrupt_image' });
    await insertPayment(calendar.db, { id: `pi_${day}`, ...customer, at, amount: 700, tax: 0 });
  }
  const live = await readPages();
  expect(live.overview).toMatchObject({ missing: null, images: { value: 12 }, users: { new: { value: 5 } } });
  expect(live.overview.revenue?.received.value).toBe(28);
  await rollUp();
  expect(await readPages()).toEqual(live);
  await calendar.setNow('2026-12-04T10:00:00Z');
  const missing = { from: '2026-11-27', to: '2026-11-27' };
  for (const page of Object.values(await readPages())) expect(page).toMatchObject({ missing });
  await rollUp();
  expect((await readPages()).usage.missing).toBeNull();
});
