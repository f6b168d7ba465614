import { randomUUID } from 'node:crypto';
import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { limits } from '@uprez/contracts/policy/limits';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import { recordProbes } from '@uprez/testing/factories/record-probes';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeJob } from '@uprez/testing/make-job';
import { makeUser } from '@uprez/testing/make-user';
import { describe, expect, it } from 'vitest';
import { adminRoutes, signUpAdmin, subjectMakers } from '../../support/accounts/admin-calls.ts';
import { adminLists, queryOf, valuesOf } from '../../support/accounts/admin-lists.ts';
import { fillLists } from '../../support/fill-lists.ts';
import { encode } from '../../support/fuzz/paths.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

// Not shared: it fills every list with odd rows.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));
const send = (path: string, query = '') =>
  admin.fetch(`${gateway.url}${path}?${query}`, { headers: { accept: 'application/problem+json' } });
const pathOf = (name: RouteName, id: string) => routes[name].path.replace(/:\w+/, id);
/** Exports of analytics need the name of a table. */
const requiredOf = (name: RouteName) => ('table' in queryOf(name) ? 'table=days&' : '');

/** Invalid values of the fields of a query, each with the query that is otherwise valid. */
function makeBadQueries(name: RouteName): [field: string, query: string][] {
  const fields = queryOf(name);
  const all: [string, string][] = [
    ['sort', `sort=${encodeURIComponent("created'; drop table users --")}`],
    ['search', `search=${'x'.repeat(300)}`],
    ['search', 'search=a%00b'],
    ['cursor', 'cursor=x'],
    ['cursor', `cursor=${'x'.repeat(301)}`],
    ['limit', `limit=${limits.maxPageRows + 1}`],
    ['limit', 'limit=1000'],
    ['limit', 'limit=0'],
    ['columns', 'columns=password'],
    ...Object.keys(fields).flatMap((field): [string, string][] =>
      valuesOf(fields[field]).length > 0 || field === 'table' ? [[field, `${field}=unknown`]] : [],
    ),
  ];
  return all.filter(([field]) => field in fields);
}

describe.each(adminLists)('%s', (name) => {
  it('returns 422 that names the field for each invalid value', async () => {
    const path = pathOf(name, (await subjectMakers[name]?.(gateway)) ?? admin.user.id);
    for (const [field, query] of makeBadQueries(name)) {
      const response = await send(path, `${field === 'table' ? '' : requiredOf(name)}${query}`);
      expect([query, response.status, await response.json()]).toMatchObject([
        query,
        422,
        { code: 'invalid_parameter', param: field },
      ]);
    }
  });
});

it('covers every list of administrators', () => {
  expect(adminLists.length).toBeGreaterThan(25);
});

/** The cursors of these lists are numbers. */
const numbered: readonly RouteName[] = ['adminListSettingsVersions', 'adminListRevisions'];
const pagedLists = adminLists.filter((name) => 'cursor' in queryOf(name) && !numbered.includes(name));

/** Fills the lists. Returns the IDs in their paths. */
async function fillPages(): Promise<Partial<Record<RouteName, string>>> {
  const { ctx } = gateway;
  const actor = await makeUser(ctx.db);
  for (const subject of ['address:192.0.2.1', 'address:192.0.2.2']) {
    await makeJob(ctx, actor);
    const anomaly = { rule: 'failures', subject, day: '2026-11-24', count: 1, evidence: '{}' } as const;
    await ctx.db.insertInto('anomalies').values(anomaly).execute();
  }
  for (const title of ['First', 'Second']) {
    const incident = { id: randomUUID(), title, severity: 'minor', state: 'monitoring', startsAt: new Date() } as const;
    await ctx.db.insertInto('incidents').values(incident).execute();
  }
  await recordProbes(ctx.db, new Date());
  const { accountId } = actor;
  const restored = { actorId: null, action: 'recovery.restore', subject: `user:${accountId}`, before: {}, after: {} };
  await insertAudit(ctx.db, restored);
  const ofUser = { adminListUserJobs: accountId, adminListUserHistory: accountId };
  return { ...(await fillLists(gateway, 'paged')), ...ofUser };
}

it('returns 422 for the cursor of another list or sort order, or with another value', async () => {
  const ids = await fillPages();
  const read = async (name: RouteName, query: string) => {
    const response = await send(pathOf(name, ids[name] ?? ''), query);
    return { response, result: [response.status, response.ok || (await response.json()).param] };
  };
  const cursors = new Map<RouteName, string>();
  for (const name of pagedLists) {
    const { response } = await read(name, 'limit=1');
    const [, cursor = ''] = /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '') ?? [];
    expect(cursor, name).not.toBe('');
    cursors.set(name, cursor);
  }
  expect(cursors.size).toBeGreaterThan(12);
  const rejected = [422, 'cursor'];
  for (const name of pagedLists) {
    const own = cursors.get(name) ?? '';
    expect((await read(name, `cursor=${own}`)).result, name).toEqual([200, true]);
    const other = pagedLists[(pagedLists.indexOf(name) + 1) % pagedLists.length] ?? name;
    expect((await read(name, `cursor=${cursors.get(other)}`)).result, `${name} ${other}`).toEqual(rejected);
    for (const sort of valuesOf(queryOf(name).sort).slice(1))
      expect((await read(name, `cursor=${own}&sort=${sort}`)).result, `${name} ${sort}`).toEqual(rejected);
    const [list = '', ...position] = Buffer.from(own, 'base64url').toString().split(' ');
    position[position.length > 1 ? 1 : 0] = 'x';
    const changed = Buffer.from([list, ...position].join(' ')).toString('base64url');
    expect((await read(name, `cursor=${changed}`)).result, name).toEqual(rejected);
  }
});

const oddTexts = ["'; drop table users; --", '%_\\(((*[a-z', '\u0000', '9'.repeat(60)];
/** Fields that aren't filters. Their invalid values are tested above. */
const otherFields = ['cursor', 'limit', 'columns', 'table'];

it.each(adminRoutes.filter((name) => routes[name].method === 'GET'))(
  '%s: returns no 5xx for odd texts',
  async (name) => {
    const hasId = routes[name].path.includes(':');
    const subject = hasId ? ((await subjectMakers[name]?.(gateway)) ?? admin.user.id) : '';
    const fields = Object.entries(queryOf(name)).flatMap(([field, values]) =>
      valuesOf(values).length > 0 || otherFields.includes(field) ? [] : [field],
    );
    for (const text of oddTexts.map(encode)) {
      const requests: [path: string, query: string][] = fields.map((field) => [
        pathOf(name, subject),
        `${requiredOf(name)}${field}=${text}`,
      ]);
      if (hasId) requests.push([pathOf(name, text), requiredOf(name)]);
      for (const request of requests) expect((await send(...request)).status, request.join('?')).toBeLessThan(500);
    }
  },
);
