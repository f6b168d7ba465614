import type { StatusService } from '@uprez/contracts/policy/status';
import type { Administrator } from '@uprez/domain/admin/administrator';
import { getCampaign, listCampaigns } from '@uprez/domain/newsletter/campaigns/get-campaign';
import { makeCampaignContent } from '@uprez/domain/newsletter/sending/make-content';
import { cancelOldIncidentCampaigns } from '@uprez/domain/newsletter/sending/start-campaign';
import { addIncidentUpdate, createIncident, scheduleMaintenance } from '@uprez/domain/status/incidents/incidents';
import { settleIncidents } from '@uprez/domain/status/incidents/settle-incidents';
import { makeSubscribers } from '@uprez/testing/factories/make-subscriber';
import { recordProbes } from '@uprez/testing/factories/record-probes';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
let admin: Administrator;
/** The subscribers: of news, of all services, and of some. */
let ids: Record<'news' | 'all' | 'api' | 'web', string>;

beforeEach(async () => {
  for (const table of ['campaigns', 'subscribers', 'probes', 'probeDays', 'incidents'] as const)
    await ctx.db.deleteFrom(table).execute();
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.updateTable('users').set({ role: 'support' }).where('id', '=', accountId).execute();
  admin = { accountId, address: undefined, permission: 'incidents.manage' };
  const make = async (services: StatusService[]) => {
    const [one] = await makeSubscribers(ctx.db, 1, { topics: ['status'], services });
    return one?.id ?? '';
  };
  const [news] = await makeSubscribers(ctx.db, 1);
  ids = { news: news?.id ?? '', all: await make([]), api: await make(['api']), web: await make(['web']) };
});

const facts = { title: 'Slow uploads', severity: 'major', state: 'investigating', text: 'We look at it.' } as const;
/** The subject and the recipients of each campaign, the first one first. */
async function sent() {
  const { rows } = await listCampaigns(ctx, { sort: 'created' });
  return await Promise.all(
    rows.map(async ({ id, subject }) => {
      const mails = await ctx.db
        .selectFrom('campaignMails')
        .select('subscriberId')
        .where('campaignId', '=', id)
        .execute();
      const names = Object.entries(ids).filter(([, one]) => mails.some(({ subscriberId }) => subscriberId === one));
      return { subject, to: names.map(([name]) => name) };
    }),
  );
}

it('updates of incidents reach those who want their services, if the administrator wants it, once each', async () => {
  const incident = { ...facts, services: ['api' as const, 'upload' as const] };
  const { id } = await createIncident(ctx, { admin, incident });
  expect(await sent()).toEqual([]);
  await addIncidentUpdate(ctx, { admin, id, update: { state: 'identified', text: 'Quiet.', notify: false } });
  await addIncidentUpdate(ctx, { admin, id, update: { state: 'monitoring', text: 'Fixed\nit.', notify: true } });
  expect(await sent()).toEqual([{ subject: '[Monitoring] Slow uploads', to: ['all', 'api'] }]);
  await createIncident(ctx, { admin, incident: { ...incident, title: 'Second', services: ['web'], notify: true } });
  expect((await sent())[1]).toEqual({ subject: '[Investigating] Second', to: ['all', 'web'] });
  const [row] = await ctx.db.selectFrom('campaigns').selectAll().orderBy('createdAt').execute();
  if (!row) throw new Error('no campaign');
  expect(await makeCampaignContent(ctx.db, row, 'https://images.example')).toEqual({
    subject: '[Monitoring] Slow uploads',
    topic: 'status',
    lines: ['Slow uploads: monitoring', 'Fixed', 'it.'],
    action: { label: 'View status', url: `https://images.example/status/incidents/${id}` },
  });
  expect((await getCampaign(ctx, row.id)).incident).toEqual({ id, title: 'Slow uploads' });
});

it('maintenance reaches everyone with status notifications, at each step', async () => {
  const [startsAt, endsAt] = [60, 120].map((minutes) => new Date(Date.now() + minutes * 60_000));
  const times = { startsAt: startsAt?.toISOString() ?? '', endsAt: endsAt?.toISOString() ?? '' };
  const maintenance = { title: 'Update', services: ['api' as const], text: 'Uploads pause.', ...times };
  const { id } = await scheduleMaintenance(ctx, { admin, maintenance });
  await settleIncidents(ctx, startsAt ?? new Date());
  await addIncidentUpdate(ctx, { admin, id, update: { state: 'in_progress', text: 'Halfway.', notify: false } });
  await settleIncidents(ctx, endsAt ?? new Date());
  await settleIncidents(ctx, endsAt ?? new Date());
  const to = ['all', 'api', 'web'];
  const steps = ['Scheduled', 'In progress', 'In progress', 'Completed'];
  expect(await sent()).toEqual(steps.map((step) => ({ subject: `[${step}] Update`, to })));
});

it('automatic incidents are sent, and what is left of them after a day is not', async () => {
  for (let minute = 0; minute <= 6; minute += 1)
    await recordProbes(ctx.db, new Date(Date.now() + (minute - 6) * 60_000), { web: 'down' });
  expect(await sent()).toEqual([{ subject: '[Investigating] Outage: Web Application', to: ['all', 'web'] }]);
  await cancelOldIncidentCampaigns(ctx);
  expect((await listCampaigns(ctx, {})).rows).toMatchObject([{ state: 'sending', pending: 2, author: null }]);
  await ctx.db
    .updateTable('campaigns')
    .set({ state: 'paused', startedAt: sql<Date>`now() - interval '25 hours'` })
    .execute();
  await cancelOldIncidentCampaigns(ctx);
  expect((await listCampaigns(ctx, {})).rows).toMatchObject([{ state: 'cancelled', pending: 0, skipped: 2 }]);
});

it('no campaign is created without subscribers', async () => {
  await ctx.db.deleteFrom('subscribers').execute();
  await createIncident(ctx, { admin, incident: { ...facts, services: ['api'], notify: true } });
  expect(await sent()).toEqual([]);
});
