import { limits } from '@uprez/contracts/policy/limits';
import { expect, it, vi } from 'vitest';
import { readAll, readPage } from './read-table.ts';

const rows = [5, 4, 4, 2, 1].map((sortValue, index) => ({ id: `row-${9 - index}`, sortValue }));

/** A table that is sorted by descending value and ID. */
const table = {
  count: async () => rows.length,
  list: vi.fn(
    async ({ after, limit }: { after: { value: number | string; id: string } | undefined; limit: number }) => {
      const isAfter = ({ id, sortValue }: (typeof rows)[number]) =>
        !after || sortValue < Number(after.value) || (sortValue === after.value && id < after.id);
      return rows.filter(isAfter).slice(0, limit);
    },
  ),
};
const read = (query: { sort: string; cursor?: string | undefined }) =>
  readPage({ list: 'rows', limit: 2, ...query }, table);

it('reads all pages by their cursors', async () => {
  const seen: string[] = [];
  for (let cursor: string | undefined, isDone = false; !isDone; ) {
    const page = await read({ sort: '-value', cursor });
    expect(page.total).toBe(5);
    seen.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
    isDone = cursor === undefined;
  }
  expect(seen).toEqual(rows.map(({ id }) => id));
});

it('throws an error that names the cursor, if it is of another list or sort order, or invalid', async () => {
  const { nextCursor } = await read({ sort: '-value' });
  const wrong = { code: 'invalid_parameter', param: 'cursor' };
  await expect(read({ sort: 'value', cursor: nextCursor })).rejects.toMatchObject(wrong);
  const other = readPage({ list: 'others', sort: '-value', cursor: nextCursor }, table);
  await expect(other).rejects.toMatchObject(wrong);
  for (const cursor of ['', 'x', `${nextCursor}x`.slice(3), Buffer.from('rows -value 1').toString('base64url')])
    await expect(read({ sort: '-value', cursor }), cursor).rejects.toMatchObject(wrong);
});

it('reads nothing for an export with too many rows', async () => {
  table.list.mockClear();
  const count = async () => limits.exportRows + 1;
  await expect(readAll('-value', { ...table, count })).rejects.toMatchObject({ code: 'export_too_large' });
  expect(table.list).not.toHaveBeenCalled();
});

it('exports as many rows as are allowed', async () => {
  const found: string[] = [];
  const pages = await readAll('-value', { ...table, count: async () => limits.exportRows });
  for await (const page of pages) found.push(...page.map(({ id }) => id));
  expect(found).toEqual(rows.map(({ id }) => id));
});
