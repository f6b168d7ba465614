import { adminRoutes } from '@uprez/contracts/endpoints/routes-admin';
import { analyticsPeriods, analyticsTables } from '@uprez/contracts/policy/admin/analytics';
import { rollUpAnalytics } from '@uprez/domain/analytics/roll-up-analytics';
import { fileFixture } from '@uprez/testing/fixtures';
import type { SignedIn } from '@uprez/testing/sign-up';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it sums the rows of all accounts.
const gateway = fileFixture(() => startTestGateway());
const owner = fileFixture(() => signUpAdmin(gateway));
const viewer = fileFixture(() => signUpAdmin(gateway, 'viewer'));
const editor = fileFixture(() => signUpAdmin(gateway, 'editor'));
const support = fileFixture(() => signUpAdmin(gateway, 'support'));
const user = fileFixture(() => gateway.signUp());

beforeAll(async () => {
  const { db } = gateway.ctx;
  await db.updateTable('users').set({ firstName: '=1+1' }).where('id', '=', user.user.id).execute();
  const plan = JSON.stringify({ engine: 'photo', output: { width: 8, height: 8 } });
  for (const [days, error] of [
    [0, null],
    [1, null],
    [40, null],
    [2, 'corrupt_image'],
  ] as const)
    await sql`
      insert into jobs (id, account_id, kind, surface, status, recipe, plan, filename, source_bytes, error_code,
        estimated_seconds, created_at, started_at, finished_at, used_seconds)
      select gen_random_uuid(), ${user.user.id}, 'image', 'api', ${error ? 'failed' : 'expired'}, '{}', ${plan}::jsonb,
        'photo.png', 9, ${error}::text, 1, at - interval '3 seconds', at - interval '2 seconds', at, 2
      from (select now() - make_interval(days => ${days}) as at) as times`.execute(db);
  await rollUpAnalytics(gateway.ctx);
});

const fails = (status: number, code: string) => expect.objectContaining({ status, code });
const exportOf = (by: SignedIn, query: string) =>
  by.fetch(`${gateway.url}${adminRoutes.adminExportAnalytics.path}?${query}`);

describe('GET /api/admin/analytics', () => {
  it('returns the specified overview, a row for each day, and the period before', async () => {
    const { data } = await owner.client.adminAnalytics({});
    expect(data).toMatchObject({
      period: '30d',
      overview: { totalUsers: 5, monthlyRevenue: 0, avgProcessingTime: 2_000, totalRevenue: 0 },
      images: { value: 2, previous: 1 },
      users: { new: { value: 5, previous: 0 } },
    });
    expect(data.overview.monthlyImages).toBeGreaterThan(0);
    expect(data.days).toHaveLength(30);
    expect(data.days.at(-1)).toMatchObject({ images: 1, users: 5, activeUsers: 1 });
    for (const period of analyticsPeriods)
      expect((await owner.client.adminAnalytics({ query: { period } })).data.period).toBe(period);
  });

  it('contains jobs that ended after the last roll-up', async () => {
    const { images } = (await owner.client.adminAnalytics({ query: { period: '7d' } })).data;
    const id = crypto.randomUUID();
    await sql`
      insert into jobs (id, account_id, kind, surface, status, recipe, plan, filename, source_bytes, estimated_seconds,
        created_at, started_at, finished_at)
      select ${id}, account_id, kind, 'web', 'expired', recipe, plan, filename, source_bytes, 1, now(), now(), now()
      from jobs limit 1`.execute(gateway.ctx.db);
    const later = (await owner.client.adminAnalytics({ query: { period: '7d' } })).data;
    expect(later.images.value).toBe((images.value ?? 0) + 1);
    await gateway.ctx.db.deleteFrom('jobs').where('id', '=', id).execute();
  });

  it('returns amounts to roles with revenue only', async () => {
    for (const by of [owner, viewer]) expect((await by.client.adminAnalytics({})).data.revenue).toBeDefined();
    for (const by of [editor, support]) {
      const { revenue, overview } = (await by.client.adminAnalytics({})).data;
      expect(revenue).toBeUndefined();
      expect(Object.keys(overview).sort()).toEqual(['avgProcessingTime', 'monthlyImages', 'totalUsers']);
    }
  });

  it('returns admin_only to users', async () => {
    await expect(user.client.adminAnalytics({})).rejects.toEqual(fails(403, 'admin_only'));
  });
});

describe('reports and usage', () => {
  it('return failures by code, times and success by engine, and images by plan and surface', async () => {
    const reports = (await editor.client.adminAnalyticsReports({})).data;
    expect(reports.failures).toEqual([{ code: 'corrupt_image', engine: 'photo', count: 1, previous: 0 }]);
    expect(reports.engines).toEqual([
      expect.objectContaining({ engine: 'photo', completed: 2, failed: 1, successShare: 2 / 3, engineMs: 6_000 }),
    ]);
    expect(reports.run).toMatchObject({ p50: { value: 2_000 }, p95: { value: 2_000 } });
    const usage = (await editor.client.adminAnalyticsUsage({})).data;
    expect([usage.api.value, usage.api.previous, usage.web.value]).toEqual([2, 1, 0]);
    expect(usage.rows).toContainEqual({ plan: 'free', surface: 'api', images: 2, previous: 1, failed: 1 });
  });

  it('return costs at the entered prices, to roles with revenue only', async () => {
    expect((await owner.client.adminAnalyticsReports({})).data.costPerImage).toEqual({ value: null, previous: null });
    const { data: site } = await owner.client.getSiteSettings();
    await owner.client.putSiteSettings({ body: { ...site, engineHourCosts: { photo: 3_600 } } });
    const { engines, costPerImage } = (await viewer.client.adminAnalyticsReports({})).data;
    expect(engines).toEqual([expect.objectContaining({ hourPrice: 36, cost: 0.06, costPerImage: 0.03 })]);
    expect(costPerImage?.value).toBe(0.03);
    expect(await (await exportOf(owner, 'table=engines')).text()).toContain(',36,0.06,0.03');
    const reports = (await editor.client.adminAnalyticsReports({})).data;
    expect(Object.keys({ ...reports, ...reports.engines[0] }).filter((name) => /cost|price/i.test(name))).toEqual([]);
    expect(await (await exportOf(editor, 'table=engines')).text()).not.toContain('cost');
  });

  it('list the accounts with most images, with masked email addresses for viewers', async () => {
    const account = { id: user.user.id, images: 2, api: 2, web: 0, failed: 1, plan: 'free' };
    expect((await support.client.adminTopAccounts({})).data).toEqual([
      expect.objectContaining({ ...account, email: user.email }),
    ]);
    expect((await viewer.client.adminTopAccounts({})).data[0]?.email).toBe(`${user.email[0]}***@***.test`);
    await expect(editor.client.adminTopAccounts({})).rejects.toEqual(fails(403, 'permission_missing'));
  });
});

describe('GET /api/admin/analytics/export', () => {
  it('contains the days of the screen as CSV and as JSON', async () => {
    const { days } = (await owner.client.adminAnalytics({ query: { period: '7d' } })).data;
    const response = await exportOf(owner, 'table=days&period=7d');
    expect(response.headers.get('content-disposition')).toMatch(/attachment; filename=analytics-days-[\d-]+\.csv/);
    const [header, ...rows] = (await response.text()).replace('\ufeff', '').trim().split('\r\n');
    expect(header).toBe(
      'day,images,web_images,api_images,failed,users,new_users,verified_users,deleted_users,active_users',
    );
    expect(rows).toEqual(days.map((row) => Object.values(row).join(',')));
    const json = await (await exportOf(owner, 'table=days&period=7d&format=json')).json();
    expect(json).toHaveLength(7);
    expect(json[6]).toMatchObject({ day: days[6]?.day, active_users: 1 });
  });

  it('contains all numbers of the pages, and amounts for roles with revenue only', async () => {
    const readRows = async (by: SignedIn) => {
      const rows = (await (await exportOf(by, 'table=summary&format=json')).json()) as {
        number: string;
        unit: string;
      }[];
      return new Map(rows.map((row) => [row.number, row]));
    };
    const [{ data: overview }, { data: reports }] = [
      await owner.client.adminAnalytics({}),
      await owner.client.adminAnalyticsReports({}),
    ];
    const rows = await readRows(owner);
    for (const [number, metric] of Object.entries({
      images: overview.images,
      api_images: { value: 2, previous: 1 },
      processing_time_p95: overview.processingTime.p95,
      success_rate: reports.successShare,
      arpu: overview.revenue?.arpu,
      mrr_churn_rate: overview.revenue?.mrrChurn,
      mrr_expansion: { value: overview.revenue?.movements.expansion, previous: null },
      total_revenue: { value: 0, previous: null },
    }))
      expect(rows.get(number), number).toMatchObject({ ...metric });
    const fewer = [...(await readRows(editor)).values()];
    expect(fewer.length).toBeGreaterThan(10);
    expect(fewer.filter(({ unit }) => unit === 'usd')).toEqual([]);
  });

  it('returns every table to owners', async () => {
    for (const table of analyticsTables)
      expect([table, (await exportOf(owner, `table=${table}&period=1y`)).status]).toEqual([table, 200]);
  });

  it('requires the permission to read amounts and accounts', async () => {
    for (const [by, table] of [
      [editor, 'revenue'],
      [support, 'plans'],
      [editor, 'accounts'],
    ] as const)
      await expect(by.client.adminExportAnalytics({ query: { table } })).rejects.toEqual(
        fails(403, 'permission_missing'),
      );
  });

  it('contains no formulas and no email addresses for viewers', async () => {
    const text = await (await exportOf(viewer, 'table=accounts')).text();
    expect(text).toContain("'=1+1");
    expect(text).not.toContain(user.email);
  });
});
