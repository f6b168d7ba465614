import { randomUUID } from 'node:crypto';
import { insertOutbox } from '@uprez/db/queries/mails/outbox';
import { claimNextJob } from '@uprez/domain/jobs/attempts/claim-next-job';
import { expireJobs } from '@uprez/domain/jobs/expire-jobs';
import { deleteMarkedObjects } from '@uprez/domain/uploads/delete-objects';
import { deliverJob } from '@uprez/testing/deliver-job';
import { testFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import {
  backlog,
  ledger,
  type Measurement,
  readMeasurements,
  storedFiles,
  storeMeasurement,
} from '../src/measurements/measurements.ts';
import { makeEvents } from './support/webhook-world.ts';

const ctx = testFixture(openTestContext);

/** Measures, and returns values by metric and label values, such as `mail_backlog single`. */
async function measure(measurement: Measurement): Promise<Record<string, number>> {
  const samples = await measurement.measure(ctx.db);
  expect(Object.keys(samples).sort()).toEqual(measurement.families.map(({ name }) => name).sort());
  return Object.fromEntries(
    Object.entries(samples).flatMap(([name, list]) =>
      list.map(({ labels, value }) => [[name, ...Object.values(labels)].join(' '), value]),
    ),
  );
}

async function makeCompleted() {
  const actor = await makeUser(ctx.db);
  await makeJob(ctx, actor);
  const claim = await claimNextJob(ctx, { workerId: 'test', leaseS: 30 });
  const job = claim && (await deliverJob(ctx, claim.job));
  if (!job) throw new Error('there was no job');
  return job;
}

it('measures 0 for everything in a new installation', async () => {
  for (const measurement of [backlog, storedFiles, ledger])
    expect(Object.values(await measure(measurement)).filter((value) => value !== 0)).toEqual([]);
});

it('measures emails, deliveries, and Stripe events that wait', async () => {
  const payload = { mail: 'welcome' };
  for (const failure of [undefined, 'rejected'])
    await insertOutbox(ctx.db, { id: randomUUID(), kind: 'mail', payload, ...(failure && { failure }) });
  await ctx.db.updateTable('outbox').set({ createdAt: sql<Date>`now() - interval '1 hour'` }).execute();
  const owner = await makeUser(ctx.db, 'api_pro');
  const endpoint = { id: randomUUID(), accountId: owner.accountId, kind: 'endpoint', isSandbox: false } as const;
  await ctx.db
    .insertInto('webhookEndpoints')
    .values({ ...endpoint, url: 'https://images.example/', secret: 'sealed' })
    .execute();
  await makeEvents(ctx, owner, 3);
  const [later] = await ctx.db.selectFrom('webhookDeliveries').select('id').execute();
  const at = (interval: string) => sql<Date>`now() + ${interval}::interval`;
  await ctx.db
    .updateTable('webhookDeliveries')
    .set({ nextAt: at('-2 minutes') })
    .execute();
  await ctx.db
    .updateTable('webhookDeliveries')
    .set({ nextAt: at('1 hour') })
    .where('id', '=', later?.id ?? '')
    .execute();
  await sql`insert into stripe_events (id, type, object_type, object_id, created_at, source, state)
    select 'evt_' || state, 'invoice.paid', 'invoice', 'in_1', now(), 'webhook', state
    from unnest(array['pending', 'done', 'ignored']) as state`.execute(ctx.db);
  const found = await measure(backlog);
  expect(found).toMatchObject({
    'mail_backlog single': 1,
    'mail_backlog campaign': 0,
    'delivery_backlog webhook due': 2,
    'delivery_backlog webhook scheduled': 1,
    'delivery_backlog result due': 0,
    'delivery_oldest_due_seconds result': 0,
    stripe_events_pending: 1,
  });
  expect(found.mail_oldest_seconds).toBeCloseTo(3_600, -2);
  expect(found['delivery_oldest_due_seconds webhook']).toBeCloseTo(120, -2);
});

it('measures results that are due, but not those of suspended accounts', async () => {
  const { accountId } = await makeUser(ctx.db);
  const [batchId, itemId] = [randomUUID(), randomUUID()];
  await sql`insert into batches (id, account_id, recipe, expires_at)
    values (${batchId}, ${accountId}, '{}', now())`.execute(ctx.db);
  await sql`insert into batch_items (id, batch_id, position, client_id, name, relative_path, unit_id)
    values (${itemId}, ${batchId}, 0, 'a', 'a.png', 'a.png', ${randomUUID()})`.execute(ctx.db);
  const nextAt = sql<Date>`now() - interval '10 minutes'`;
  await ctx.db.insertInto('resultDeliveries').values({ itemId, target: 'sealed', host: 'a.example', nextAt }).execute();
  const found = await measure(backlog);
  expect(found['delivery_backlog result due']).toBe(1);
  expect(found['delivery_oldest_due_seconds result']).toBeCloseTo(600, -2);
  await ctx.db.updateTable('users').set({ suspendedAt: new Date() }).where('id', '=', accountId).execute();
  expect(await measure(backlog)).toMatchObject({
    'delivery_backlog result due': 0,
    'delivery_oldest_due_seconds result': 0,
  });
});

it('measures a file past its retention until its bytes are deleted', async () => {
  const job = await makeCompleted();
  const overdue = async () => (await measure(backlog)).file_retention_overdue_seconds;
  expect(await overdue()).toBe(0);
  const before = await measure(storedFiles);
  expect(before['stored_files stored']).toBe(2);
  expect(before['stored_bytes stored']).toBeGreaterThan(0);
  const expiresAt = sql<Date>`now() - interval '2 hours'`;
  await ctx.db.updateTable('jobs').set({ expiresAt }).where('id', '=', job.id).execute();
  expect(await overdue()).toBeCloseTo(7_200, -2);
  await expireJobs(ctx);
  expect(await overdue()).toBeCloseTo(7_200, -2);
  await deleteMarkedObjects(ctx, 86_400);
  expect(await overdue()).toBe(0);
  expect(await measure(storedFiles)).toMatchObject({ 'stored_files stored': 0, 'stored_bytes deleting': 0 });
});

it('measures contradictions of the ledger by check', async () => {
  const job = await makeCompleted();
  expect(await measure(ledger)).toEqual({
    'ledger_errors jobs': 0,
    'ledger_errors allowances': 0,
    'ledger_errors results': 0,
  });
  await sql`alter table ledger disable trigger ledger_append_only`.execute(ctx.db);
  await sql`delete from ledger where kind = 'settle'`.execute(ctx.db);
  expect(await measure(ledger)).toMatchObject({ 'ledger_errors jobs': 1, 'ledger_errors allowances': 0 });
  await sql`update ledger set units = -2 where kind = 'reserve'`.execute(ctx.db);
  await ctx.db.updateTable('objects').set({ state: 'deleting' }).where('id', '=', job.resultId).execute();
  expect(await measure(ledger)).toEqual({
    'ledger_errors jobs': 1,
    'ledger_errors allowances': 1,
    'ledger_errors results': 1,
  });
});

it('stores values with their time for all dispatchers, and leaves out what was never measured', async () => {
  expect(await readMeasurements(ctx.db, [backlog, ledger])).toEqual(new Map());
  await storeMeasurement(ctx.db, ledger);
  const stored = await readMeasurements(ctx.db, [backlog, ledger]);
  expect([...stored.keys()]).toEqual(['ledger']);
  expect(stored.get('ledger')).toMatchObject({
    samples: { ledger_errors: [{ labels: { check: 'jobs' }, value: 0 }, {}, {}] },
  });
  expect(stored.get('ledger')?.at).toBeCloseTo(Date.now() / 1_000, -2);
});
