// cspell:ignore attname attnum attrelid conkey conrelid contype indisvalid indkey indpred indrelid regclass
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';

it('every column that refers to another table begins an index, so that deletions there need not read the table', async () => {
  const { db, close } = await openTestDatabase();
  onTestFinished(close);
  const { rows } = await sql<{ reference: string }>`
    select conrelid::regclass || ' (' || string_agg(attname, ', ' order by place) || ')' as reference
    from pg_constraint
    cross join unnest(conkey) with ordinality as key (attnum, place)
    join pg_attribute on attrelid = conrelid and pg_attribute.attnum = key.attnum
    where contype = 'f' and not exists (
      select from pg_index where indrelid = conrelid and indisvalid and indkey[0] = any(conkey)
        and (indpred is null or pg_get_expr(indpred, indrelid) = '(' || attname || ' IS NOT NULL)'))
    group by pg_constraint.oid, conrelid`.execute(db);
  expect(rows.map(({ reference }) => reference)).toEqual([]);
});
