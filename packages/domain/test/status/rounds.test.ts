import { statusServices } from '@uprez/contracts/policy/status';
import type { Administrator } from '@uprez/domain/admin/administrator';
import { findUptime } from '@uprez/domain/dashboard/get-public-stats';
import { addIncidentUpdate, listIncidents, scheduleMaintenance } from '@uprez/domain/status/incidents/incidents';
import { getStatus } from '@uprez/domain/status/page/get-status';
import { type ProbedStates, recordProbes } from '@uprez/testing/factories/record-probes';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { beforeEach, describe, expect, it } from 'vitest';

const ctx = fileFixture(openTestContext);
const start = Date.parse('2026-03-10T10:00:00Z');
/** Virtual time: a number of minutes after the start. */
const minute = (minutes: number) => new Date(start + minutes * 60_000);
let admin: Administrator;

beforeEach(async () => {
  for (const table of ['probes', 'probeDays', 'incidents', 'statusOverrides'] as const)
    await ctx.db.deleteFrom(table).execute();
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.updateTable('users').set({ role: 'support' }).where('id', '=', accountId).execute();
  admin = { accountId, address: undefined, permission: 'incidents.manage' };
});

const round = (at: Date, states?: ProbedStates) => recordProbes(ctx.db, at, states);
/** One round per minute, from the first minute to the last. */
async function play(from: number, to: number, states: (minutes: number) => ProbedStates = () => ({})): Promise<void> {
  for (let minutes = from; minutes <= to; minutes += 1) await round(minute(minutes), states(minutes));
}
const stateAt = async (minutes: number) => {
  const { services, state } = await getStatus(ctx, minute(minutes));
  return { overall: state, ...Object.fromEntries(services.map((one) => [one.service, one.state])) };
};
const incidentsNow = async () => (await listIncidents(ctx, { sort: 'started' })).rows;
const allUp = Object.fromEntries(statusServices.map((service) => [service, 'operational']));

describe('the state of services', () => {
  it('shows within one round which service is out, and that nothing is known without probes', async () => {
    expect(await stateAt(0)).toMatchObject({ overall: 'unknown', api: 'unknown' });
    await play(0, 2, (minutes) => (minutes === 2 ? { api: 'down', payments: 'unconfigured' } : {}));
    expect(await stateAt(2)).toEqual({ ...allUp, overall: 'outage', api: 'outage', payments: 'unconfigured' });
    expect(await stateAt(4)).toMatchObject({ overall: 'outage', web: 'operational' });
    // The dispatcher has stopped.
    expect(await stateAt(5)).toMatchObject({ overall: 'unknown', api: 'unknown', web: 'unknown' });
  });

  it('prefers what an administrator set, until its end', async () => {
    await play(0, 1);
    await ctx.db
      .insertInto('statusOverrides')
      .values({ service: 'web', state: 'degraded', until: minute(2) })
      .execute();
    expect(await stateAt(1)).toMatchObject({ overall: 'degraded', web: 'degraded' });
    expect(await stateAt(2)).toMatchObject({ overall: 'operational', web: 'operational' });
  });
});

describe('automatic incidents', () => {
  it('open after 5 minutes of outage, once for services that fail together, and resolve after 10 clean minutes', async () => {
    const fail = (minutes: number): ProbedStates => (minutes >= 1 && minutes <= 8 ? { api: 'down', web: 'down' } : {});
    await play(0, 5, fail);
    expect(await incidentsNow()).toEqual([]);
    await play(6, 18, fail);
    const [incident, ...others] = await incidentsNow();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ state: 'investigating', services: ['api', 'web'], automatic: true });
    expect(incident?.title).toBe('Outage: Image Processing API and Web Application');
    await play(19, 19, fail);
    expect((await incidentsNow()).map(({ state, endsAt }) => [state, endsAt])).toEqual([
      ['resolved', minute(19).toISOString()],
    ]);
  });

  it('stay one while a service flaps, and never open in a gap or for short failures', async () => {
    await play(0, 30, (minutes) => (minutes % 5 === 0 ? {} : { upload: 'down' }));
    expect(await incidentsNow()).toEqual([]);
    await play(31, 90, (minutes) => (minutes % 9 > 6 ? {} : { upload: 'down' }));
    expect((await incidentsNow()).map(({ services }) => services)).toEqual([['upload']]);
    await round(minute(100), { delivery: 'down' });
    await round(minute(110), { delivery: 'down' });
    expect((await incidentsNow()).length).toBe(1);
  });

  it('stay open once a person has written, and get the services that fail next', async () => {
    await play(0, 5, () => ({ authentication: 'down' }));
    const [opened] = await incidentsNow();
    const update = { state: 'identified', text: 'We found the cause.' } as const;
    await addIncidentUpdate(ctx, { admin, id: opened?.id ?? '', update });
    await play(6, 30, (minutes) => (minutes < 14 ? { delivery: 'down' } : {}));
    const [incident, ...others] = await incidentsNow();
    expect(others).toEqual([]);
    expect(incident).toMatchObject({ state: 'identified', services: ['authentication', 'delivery'], endsAt: null });
    expect(incident?.updates.map(({ text }) => text)).toContain('Also affected: CDN & File Delivery.');
  });
});

/** Adds a day on which every service was up. */
async function addDay(day: string): Promise<void> {
  const none = { degradedS: 0, downS: 0, maintenanceS: 0, unknownS: 0, responses: 0, responseMs: 0 };
  const rolledUpAt = new Date(Date.parse(day) + 86_400_000);
  const values = statusServices.map((service) => ({ service, day, upS: 86_400, ...none, rolledUpAt }));
  await ctx.db.insertInto('probeDays').values(values).execute();
}

describe('the figures', () => {
  it('are those of a recount, with gaps unknown and announced maintenance left out', async () => {
    await play(0, 59, (minutes) => (minutes >= 10 && minutes < 16 ? { api: 'down' } : {}));
    await play(90, 119, (minutes) => (minutes < 100 ? { api: 'degraded' } : {}));
    const first = await getStatus(ctx, minute(119));
    expect([first.uptime, ...first.services.map((one) => one.uptime)]).toEqual([
      null,
      ...statusServices.map(() => null),
    ]);
    await addDay('2026-03-08');
    const { services, uptime, coverage } = await getStatus(ctx, minute(119));
    const api = services.find(({ service }) => service === 'api');
    const minutes = { up: 54 + 19, degraded: 10, down: 6, maintenance: 0, unknown: 30 };
    const expected = Object.fromEntries(Object.entries(minutes).map(([name, count]) => [name, count * 60]));
    expect(api?.days.at(-1)).toEqual({ day: '2026-03-10', ...expected });
    // Days without a row aren't covered: 28 of the last 30, and 10 hours.
    const share = (86_400 + 89 * 60) / (29 * 86_400 + 10 * 3_600 + 119 * 60);
    expect(api).toMatchObject({ uptime: (1_440 + 83) / (1_440 + 89), coverage: share, responseMs: 100 });
    expect(uptime).toBeCloseTo((5 * (1_440 + 89) + 1_440 + 83) / (6 * (1_440 + 89)));
    expect(coverage).toBeCloseTo(share);
    expect(api?.days).toHaveLength(90);
    expect(api?.days[86]).toEqual({ day: '2026-03-07', up: 0, degraded: 0, down: 0, maintenance: 0, unknown: 0 });
  });

  it('count the whole day before when probes continue after midnight, and the time without a dispatcher as unknown', async () => {
    const midnight = 14 * 60;
    await play(midnight - 3, midnight + 12);
    const { services } = await getStatus(ctx, minute(midnight + 60));
    const [before, today] = services[0]?.days.slice(-2) ?? [];
    expect(before).toMatchObject({ day: '2026-03-10', up: 180, unknown: 0 });
    expect(today).toMatchObject({ day: '2026-03-11', up: 12 * 60, unknown: 48 * 60 });
  });
});

describe('planned maintenance', () => {
  it('starts and completes by itself, opens no incident, and counts apart only if it was announced a day ahead', async () => {
    const now = Date.now();
    const hour = 3_600_000;
    const inHours = (hours: number) => new Date(Math.ceil(now / 1_000) * 1_000 + hours * hour);
    const window = { startsAt: inHours(30).toISOString(), endsAt: inHours(31).toISOString() };
    const maintenance = { title: 'Database update', services: ['api' as const], text: 'Uploads pause.', ...window };
    await scheduleMaintenance(ctx, { admin, maintenance });
    const down = (at: Date, step: number) =>
      round(new Date(at.getTime() + step * 60_000), { api: 'down', web: 'down' });
    for (let step = -2; step < 0; step += 1) await round(new Date(inHours(30).getTime() + step * 60_000));
    for (let step = 0; step < 60; step += 1) await down(inHours(30), step);
    const during = await getStatus(ctx, new Date(inHours(31).getTime() - 30_000));
    expect(during.services.map(({ state }) => state).slice(0, 2)).toEqual(['maintenance', 'outage']);
    expect(during.maintenance).toMatchObject([{ title: 'Database update', state: 'in_progress', services: ['api'] }]);
    expect(during.incidents).toMatchObject([{ services: ['web'] }]);
    await round(inHours(31));
    await addDay(inHours(-48).toISOString().slice(0, 10));
    const after = await getStatus(ctx, inHours(31));
    expect(after.maintenance).toEqual([]);
    expect(after.incidents).toMatchObject([{ services: ['web'] }, { state: 'completed' }]);
    const [api, web] = after.services;
    expect([api?.uptime, web?.uptime]).toEqual([1, (86_400 + 120) / (86_400 + 3_720)]);
  });
});

describe('the uptime on other pages', () => {
  it('is absent until 30 days were observed, and while probes cover less than 90% of them', async () => {
    const days = (count: number) => minute(count * 24 * 60);
    const addDays = async (count: number, upS: number) => {
      const values = Array.from({ length: count * statusServices.length }, (_, index) => ({
        service: statusServices[index % statusServices.length] ?? 'api',
        day: days(Math.floor(index / statusServices.length))
          .toISOString()
          .slice(0, 10),
        ...{ upS, degradedS: 0, downS: 86_400 - upS, maintenanceS: 0, unknownS: 0, responses: 0, responseMs: 0 },
        rolledUpAt: days(count),
      }));
      await ctx.db.insertInto('probeDays').values(values).execute();
    };
    await addDays(40, 77_760);
    await round(days(39));
    expect(await findUptime(ctx, days(20))).toBeUndefined();
    expect(await findUptime(ctx, days(39))).toBeCloseTo(0.9);
    // Days without a row are unknown.
    expect(await findUptime(ctx, days(44))).toBeUndefined();
  });
});
