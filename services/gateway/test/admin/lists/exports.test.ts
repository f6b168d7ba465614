import { randomUUID } from 'node:crypto';
import { routes } from '@uprez/contracts/endpoints/routes';
import { fileFixture } from '@uprez/testing/fixtures';
import { beforeAll, describe, expect, it } from 'vitest';
import { signUpAdmin } from '../../support/accounts/admin-calls.ts';
import { exportedLists, queryOf, valuesOf } from '../../support/accounts/admin-lists.ts';
import { filledRows, fillLists } from '../../support/fill-lists.ts';
import { parseCsv } from '../../support/parse-csv.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

// Not shared: it reads whole lists.
const gateway = fileFixture(() => startTestGateway());
const admin = fileFixture(() => signUpAdmin(gateway));

const tag = `t${randomUUID().replaceAll('-', '')}`;
let ids: Awaited<ReturnType<typeof fillLists>> = {};
beforeAll(async () => {
  ids = await fillLists(gateway, tag);
});

/** Reads all pages of a list. Returns the IDs of the rows, in order. */
async function readPages(path: string): Promise<string[]> {
  const found: string[] = [];
  let total = 0;
  for (let next: string | undefined = path; next; ) {
    const response: Response = await admin.fetch(`${gateway.url}${next}`);
    if (!response.ok) throw new Error(await response.text());
    found.push(...((await response.json()) as { id: string | number }[]).map(({ id }) => String(id)));
    total = Number(response.headers.get('x-total-count'));
    next = /^<([^>]+)>; rel="next"$/.exec(response.headers.get('link') ?? '')?.[1];
  }
  expect(total).toBe(found.length);
  return found;
}

const formula = /^\s*[=+\-@\t\r]/;
const isAmount = (cell: string) => /^-\d+(\.\d{2})?$/.test(cell);

describe.each(exportedLists)('$exported', ({ list, exported }) => {
  const sorts = valuesOf(queryOf(list).sort);
  const filter = () => ('search' in queryOf(list) ? `search=${tag}` : '');
  const urlOf = (name: typeof list) => routes[name].path.replace(':id', ids[list] ?? '');

  it.each(sorts.length > 0 ? sorts : [undefined])('equals all pages of the list, sorted by %s', async (sort) => {
    const query = new URLSearchParams(`${filter()}${sort ? `&sort=${sort}` : ''}`);
    const listed = await readPages(`${urlOf(list)}?${query}&limit=4`);
    expect(new Set(listed).size).toBeGreaterThanOrEqual(filledRows);
    const download = (format: string) => admin.fetch(`${gateway.url}${urlOf(exported)}?${query}&format=${format}`);
    const rows = (await (await download('json')).json()) as Record<string, unknown>[];
    expect(rows.map((row) => String(Object.values(row)[0]))).toEqual(listed);
    const [header, ...lines] = parseCsv(await (await download('csv')).text());
    expect(header).toEqual(Object.keys(rows[0] ?? {}));
    expect(lines.map(([first]) => first)).toEqual(listed);
  });

  it('has no cell that a spreadsheet runs as a formula', async () => {
    const response = await admin.fetch(`${gateway.url}${urlOf(exported)}?${filter()}`);
    const [header, ...lines] = parseCsv(await response.text());
    const cells = lines.flat();
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => header?.length));
    expect(cells.filter((cell) => formula.test(cell) && !isAmount(cell))).toEqual([]);
    expect(lines.filter((line) => line.some((cell) => formula.test(cell.slice(1))))).toHaveLength(filledRows);
  });
});

it.each(exportedLists)('adds one row to the audit log for $exported, with its filters', async ({ list, exported }) => {
  const query: Record<string, string> = { format: 'json', ...('search' in queryOf(list) && { search: randomUUID() }) };
  const path = routes[exported].path.replace(':id', ids[list] ?? '');
  const url = `${gateway.url}${path}?${new URLSearchParams(query)}`;
  // The web app asks first.
  const asked = await admin.fetch(url, { method: 'HEAD' });
  const response = await admin.fetch(url);
  expect([asked.status, response.status]).toEqual([200, 200]);
  await response.arrayBuffer();
  const { ctx } = gateway;
  const requestId = response.headers.get('x-request-id');
  const rows = await ctx.db.selectFrom('audits').selectAll().where('requestId', '=', requestId).execute();
  const askedId = asked.headers.get('x-request-id');
  expect(await ctx.db.selectFrom('audits').select('id').where('requestId', '=', askedId).execute()).toEqual([]);
  expect(rows).toMatchObject([{ actorId: admin.user.id, action: 'export.download', after: query, rejected: null }]);
  expect(rows[0]?.subject).toMatch(/^(export:[a-z ]+|(user|coupon):[\w-]+)$/);
});

it('covers every export of a list', () => {
  const exports = exportedLists.map(({ exported }) => exported);
  const all = Object.keys(routes).filter((name) => name.startsWith('adminExport') && name !== 'adminExportAnalytics');
  expect(exports.sort()).toEqual(all.sort());
});
