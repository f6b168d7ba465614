import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/** Where a page of a list ended: the value that it is sorted by, and the ID. Times are microseconds since 1970. */
export type Position = { value: number; id: string };
export type Page = { after: Position | undefined; limit: number };

/** A sort order of a list. It needs an index on the column, or the value that rows are sorted by, and the ID. */
export type KeysetOrder = { column: string | RawBuilder<unknown>; type: 'time' | 'integer'; direction: 'asc' | 'desc' };

const refOf = (column: KeysetOrder['column']) => (typeof column === 'string' ? sql.ref(column) : column);
const microseconds = (column: RawBuilder<unknown>) => sql<number>`(extract(epoch from ${column}) * 1000000)::bigint`;

/** The value of a row's position. Exact: a JavaScript date would lose the microseconds, and the page would lose rows. */
function positionOf({ column, type }: KeysetOrder): RawBuilder<number> {
  const ref = refOf(column);
  return type === 'time' ? microseconds(ref) : sql<number>`${ref}`;
}

/** The rows after a position, in the order of `orderOf`. */
function isAfter({ column, type, direction }: KeysetOrder, id: string, after: Position): Expression<SqlBool> {
  const value =
    type === 'time'
      ? sql`timestamptz 'epoch' + ${after.value}::double precision * interval '1 microsecond'`
      : sql`${after.value}::bigint`;
  const than = direction === 'asc' ? sql`>` : sql`<`;
  return sql<SqlBool>`(${refOf(column)}, ${sql.ref(id)}) ${than} (${value}, ${after.id})`;
}

/** Sorts by the column, and rows with equal values by their ID. */
export const orderOf = ({ column, direction }: KeysetOrder, id: string): RawBuilder<unknown> => {
  const way = sql.raw(direction);
  return sql`${refOf(column)} ${way}, ${sql.ref(id)} ${way}`;
};

/** Reads a page of what a query finds, with the value of each row's position. `id`: the column with the ID. */
export const readKeysetPage = <DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  { order, id, after, limit }: Page & { order: KeysetOrder; id: string },
) =>
  (after ? query.where(isAfter(order, id, after)) : query)
    .select(positionOf(order).as('sortValue'))
    .orderBy(orderOf(order, id))
    .limit(limit)
    .execute();

/** Counts all rows that a query finds. */
export async function countRows<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as('n')).$castTo<{ n: number }>();
  return (await counted.executeTakeFirstOrThrow()).n;
}
