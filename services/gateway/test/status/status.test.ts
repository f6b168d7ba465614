import type { AdminIncident, AdminService, Incident, Probe, Status } from '@uprez/contracts/schemas/status';
import { listAnnouncedWindows, listEndedIncidents } from '@uprez/db/queries/status/incidents';
import { recordProbes } from '@uprez/testing/factories/record-probes';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeEach, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../support/accounts/admin-calls.ts';
import { startTestGateway } from '../support/start-test-gateway.ts';

// Not shared: it reads the audit log of everybody.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const prefix = '/api/admin/status';
const minuteMs = 60_000;

beforeEach(async () => {
  for (const table of ['probes', 'probeDays', 'incidents', 'statusOverrides'] as const)
    await gateway.ctx.db.deleteFrom(table).execute();
});

const json = { accept: 'application/json, application/problem+json' };
const send = (method: string, path: string, body?: object) =>
  admin.fetch(gateway.url + path, {
    method,
    headers: { ...json, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(gateway.url + path, { headers: { ...json, ...headers } });
const readStatus = async () => (await (await open('/api/status')).json()) as Status;
const problemOf = async (response: Response) => {
  const { code, param } = (await response.json()) as { code: string; param?: string };
  return { status: response.status, code, param };
};
const incident = {
  title: 'Slow <uploads> & "more"',
  severity: 'major',
  state: 'investigating',
  services: ['upload', 'upload', 'api'],
  text: 'Uploads take longer than usual.',
} as const;
const create = async (body: object = incident) =>
  (await (await send('POST', `${prefix}/incidents`, body)).json()) as AdminIncident;
const actions = async () => {
  const rows = await gateway.ctx.db.selectFrom('audits').select(['action', 'subject', 'rejected']).execute();
  return rows.filter(({ rejected }) => rejected === null).map(({ action }) => action);
};

describe('GET /api/status', () => {
  it('answers with an ETag, and 304 while nothing changes; the badge and the feed may be cached for a minute', async () => {
    await recordProbes(gateway.ctx.db, new Date());
    const first = await open('/api/status');
    expect(first.headers.get('cache-control')).toBe('public, no-cache');
    expect(first.headers.get('access-control-allow-origin')).toBe('*');
    const again = await open('/api/status', { 'if-none-match': first.headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
    const badge = await open('/status/badge.svg');
    expect(badge.headers.get('cache-control')).toBe('public, max-age=60');
    expect(badge.headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
    expect(await badge.text()).toContain('<title>Status: All systems operational</title>');
    expect(await readStatus()).toMatchObject({ state: 'operational', uptime: null, processingMs: null });
  });

  it('shows an incident at once: on the page, in the feed, and at its own address', async () => {
    const { id } = await create();
    const { incidents } = await readStatus();
    expect(incidents).toMatchObject([
      { id, services: ['api', 'upload'], endsAt: null, updates: [{ text: incident.text }] },
    ]);
    // The services are up, and still not all is well.
    await recordProbes(gateway.ctx.db, new Date());
    expect((await readStatus()).state).toBe('degraded');
    expect(incidents[0]).not.toHaveProperty('automatic');
    expect(JSON.stringify(incidents)).not.toContain('@');
    const feed = await (await open('/status/feed.xml')).text();
    expect(feed).toContain('<title>Investigating: Slow &#60;uploads&#62; &#38; &#34;more&#34;</title>');
    expect(feed).toContain(`/status/incidents/${id}</link>`);
    const page = await (await open(`/status/incidents/${id}`, { accept: 'text/html' })).text();
    expect(page).toContain('<h1>Slow &#60;uploads&#62; &#38; &#34;more&#34;</h1>');
    expect(page).toContain('type="application/rss+xml"');
    const status = await (await open('/status', { accept: 'text/html' })).text();
    expect(status.indexOf('<h2>Active incidents</h2>')).toBeLessThan(status.indexOf('Image Processing API: '));
    await send('POST', `${prefix}/incidents/${id}/updates`, { state: 'resolved', text: 'Done.' });
    expect((await readStatus()).state).toBe('operational');
    expect(await (await open('/status', { accept: 'text/html' })).text()).toContain('<h2>Past incidents</h2>');
  });

  it.each(['nothing', '01890000-0000-7000-8000-000000000000'])('answers 404 to the ID %s', async (id) => {
    expect(await problemOf(await open(`/api/status/incidents/${id}`))).toMatchObject({ code: 'incident_not_found' });
    expect((await open(`/status/incidents/${id}`, { accept: 'text/html' })).status).toBe(404);
  });
});

describe('incidents', () => {
  it('end when they are resolved, and go on with another state; each step is audited', async () => {
    const { id } = await create();
    const update = async (state: string) =>
      (await (await send('POST', `${prefix}/incidents/${id}/updates`, { state, text: state })).json()) as AdminIncident;
    expect((await update('resolved')).endsAt).not.toBeNull();
    expect(await update('monitoring')).toMatchObject({ state: 'monitoring', endsAt: null });
    const { updates } = await update('resolved');
    expect(updates.map(({ text }) => text)).toEqual(['resolved', 'monitoring', 'resolved', incident.text]);
    expect(updates[0]?.author?.email).toContain('@');
    expect((await actions()).slice(-4)).toEqual(['incident.create', ...Array(3).fill('incident.update')]);
  });

  it.each([
    [{ title: ' ' }, 'title'],
    [{ title: 'a'.repeat(121) }, 'title'],
    [{ text: '  ' }, 'text'],
    [{ services: [] }, 'services'],
    [{ services: ['mail'] }, 'services/0'],
    [{ state: 'resolved' }, 'state'],
    [{ severity: 'maintenance' }, 'severity'],
  ])('rejects %j, and stores nothing', async (change, param) => {
    const response = await send('POST', `${prefix}/incidents`, { ...incident, ...change });
    expect(await problemOf(response)).toEqual({ status: 422, code: 'invalid_parameter', param });
    expect(await gateway.ctx.db.selectFrom('incidents').select('id').execute()).toEqual([]);
  });

  it('are listed by search, state, and severity, page by page', async () => {
    for (const [index, title] of ['First', 'Second', 'Third'].entries()) {
      const { id } = await create({ ...incident, title, severity: index === 2 ? 'critical' : 'minor' });
      const startsAt = new Date(Date.UTC(2026, 0, 1 + index));
      await gateway.ctx.db.updateTable('incidents').set({ startsAt }).where('id', '=', id).execute();
      if (index === 0) await send('POST', `${prefix}/incidents/${id}/updates`, { state: 'resolved', text: 'Done.' });
    }
    const titles = async (query: string) => {
      const response = await send('GET', `${prefix}/incidents${query}`);
      return ((await response.json()) as AdminIncident[]).map(({ title }) => title);
    };
    expect(await titles('')).toEqual(['Third', 'Second', 'First']);
    expect(await titles('?status=ended')).toEqual(['First']);
    expect(await titles('?severity=critical')).toEqual(['Third']);
    expect(await titles('?search=SEC')).toEqual(['Second']);
    const page = await send('GET', `${prefix}/incidents?limit=2&sort=started`);
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? [];
    expect(((await (await send('GET', next)).json()) as AdminIncident[]).map(({ title }) => title)).toEqual(['Third']);
  });
});

describe('maintenance', () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 60 * minuteMs).toISOString();
  const maintenance = { title: 'Database update', services: ['api'], text: 'Uploads pause.' };

  it('is announced with a start in the future and a later end, and can be canceled', async () => {
    const schedule = (times: object) => send('POST', `${prefix}/maintenance`, { ...maintenance, ...times });
    expect(await problemOf(await schedule({ startsAt: inHours(-1), endsAt: inHours(1) }))).toMatchObject({
      param: 'startsAt',
    });
    const later = inHours(2);
    expect(await problemOf(await schedule({ startsAt: later, endsAt: later }))).toMatchObject({ param: 'endsAt' });
    const { id, startsAt } = (await (
      await schedule({ startsAt: inHours(30), endsAt: inHours(31) })
    ).json()) as Incident;
    expect((await readStatus()).maintenance).toMatchObject([{ id, state: 'scheduled', severity: 'maintenance' }]);
    const update = (state: string) => send('POST', `${prefix}/incidents/${id}/updates`, { state, text: 'Changed.' });
    expect(await problemOf(await update('resolved'))).toMatchObject({ code: 'invalid_parameter', param: 'state' });
    expect(await (await update('completed')).json()).toMatchObject({ state: 'completed', endsAt: startsAt });
    expect(await problemOf(await update('scheduled'))).toMatchObject({ status: 409, code: 'incident_ended' });
    expect(await readStatus()).toMatchObject({ maintenance: [], incidents: [] });
  });
});

it('canceled maintenance keeps its planned times, and is neither history nor downtime', async () => {
  const [startsAt, endsAt] = [30, 31].map((hours) => new Date(Date.now() + hours * 60 * minuteMs).toISOString()) as [
    string,
    string,
  ];
  const plan = { title: 'Not needed', services: ['api'], text: 'Uploads pause.', startsAt, endsAt };
  const { id } = (await (await send('POST', `${prefix}/maintenance`, plan)).json()) as Incident;
  const canceled = await send('POST', `${prefix}/incidents/${id}/updates`, { state: 'canceled', text: 'Canceled.' });
  expect(await canceled.json()).toMatchObject({ state: 'canceled', startsAt, endsAt });
  expect(await readStatus()).toMatchObject({ maintenance: [], incidents: [] });
  const { db } = gateway.ctx;
  const span = { since: new Date(0), limit: 10 };
  expect(await listEndedIncidents(db, span)).toEqual([]);
  const month = { from: new Date(), to: new Date(Date.now() + 30 * 1_440 * minuteMs), noticeS: 0 };
  expect(await listAnnouncedWindows(db, month)).toEqual([]);
});

describe('overrides and the probe log', () => {
  it('show a service in a chosen state until it is ended, and keep its latest probe', async () => {
    await recordProbes(gateway.ctx.db, new Date(), { web: 'down' });
    const path = `${prefix}/services/web/override`;
    const until = new Date(Date.now() + minuteMs).toISOString();
    const services = (await (await send('PUT', path, { state: 'degraded', until })).json()) as AdminService[];
    const web = services.find(({ service }) => service === 'web');
    expect(web).toMatchObject({ state: 'degraded', override: { until }, probe: { state: 'down', ms: null } });
    expect((await readStatus()).state).toBe('degraded');
    await send('DELETE', path);
    expect((await readStatus()).state).toBe('outage');
    expect((await actions()).slice(-2)).toEqual(['status.override', 'status.override_end']);
    const dayMs = 1_440 * minuteMs;
    for (const [awayMs, status] of [
      [-1, 422],
      [30 * dayMs + minuteMs, 422],
      [30 * dayMs - minuteMs, 200],
    ] as const) {
      const override = { state: 'degraded', until: new Date(Date.now() + awayMs).toISOString() };
      const response = await send('PUT', path, override);
      expect(response.status).toBe(status);
      if (status === 422) expect(await problemOf(response)).toMatchObject({ param: 'until' });
    }
    const unknown = await send('PUT', `${prefix}/services/mail/override`, { state: 'degraded', until });
    expect(await problemOf(unknown)).toMatchObject({ status: 404, code: 'status_service_not_found' });
  });

  it('lists probes by service, result, and reason, the latest first', async () => {
    const now = Date.now();
    for (let age = 3; age >= 0; age -= 1)
      await recordProbes(gateway.ctx.db, new Date(now - age * minuteMs), age === 2 ? { api: 'down' } : {});
    const list = async (query: string) => (await (await send('GET', `${prefix}/probes${query}`)).json()) as Probe[];
    expect((await list('?service=api')).map(({ state }) => state)).toEqual(['up', 'up', 'down', 'up']);
    expect(await list('?state=down')).toMatchObject([{ service: 'api', ms: null, detail: 'no response in time' }]);
    expect(await list('?search=RESPONSE')).toHaveLength(1);
    expect(await list('?limit=5')).toHaveLength(5);
  });
});
