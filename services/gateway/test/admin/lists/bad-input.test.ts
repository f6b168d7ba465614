import { type RouteName, routes } from '@uprez/contracts/endpoints/routes';
import { limits } from '@uprez/contracts/policy/limits';
import { fileFixture } from '@uprez/testing/fixtures';
import { describe, expect, it } from 'vitest';
import { signUpAdmin, subjectMakers } from '../../support/accounts/admin-calls.ts';
import { adminLists, queryOf, valuesOf } from '../../support/accounts/admin-lists.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));

const encode = (text: string) => Buffer.from(text).toString('base64url');
const anyId = '00000000-0000-4000-8000-000000000000';

/** Invalid values of the fields of a query, each with the query that is otherwise valid. */
function makeBadQueries(name: RouteName): [field: string, query: string][] {
  const fields = queryOf(name);
  const [sort = '-created', other = 'other'] = valuesOf(fields.sort);
  const all: [string, string][] = [
    ['sort', `sort=${encodeURIComponent("created'; drop table users --")}`],
    ['search', `search=${'x'.repeat(300)}`],
    ['search', 'search=a%00b'],
    ['cursor', 'cursor=x'],
    ['cursor', `cursor=${encode(`${other} 1 ${anyId}`)}`],
    ['cursor', `cursor=${encode(`${sort} one ${anyId}`)}`],
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
    const id = (await subjectMakers[name]?.(gateway)) ?? admin.user.id;
    const path = routes[name].path.replace(/:\w+/, id);
    const required = 'table' in queryOf(name) ? 'table=days&' : '';
    for (const [field, query] of makeBadQueries(name)) {
      const url = `${gateway.url}${path}?${field === 'table' ? '' : required}${query}`;
      const response = await admin.fetch(url, { headers: { accept: 'application/problem+json' } });
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
