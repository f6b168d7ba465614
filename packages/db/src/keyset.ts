import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';

/**
 * Position after the last row of a page: the row's sort value and ID. Sort values that are times are in microseconds
 * since 1970.
 */
export type Position = { value: number | string; id: string };
export type Page = { after: Position | undefined; limit: number };

/**
 * Sort order of a list. Requires an index on the column and the ID. Text values must be short, because they become part
 * of the cursor.
 */
export type KeysetOrder<Value extends number | string = number> = {
  column: string | RawBuilder<unknown>;
  type: [Value] extends [number] ? 'time' | 'integer' : 'time' | 'integer' | 'text';
  direction: 'asc' | 'desc';
};
/**
 * Returns two orders for each column: ascending by its name, such as `created`, and descending with a minus sign, such
 * as `-created`.
 */
export function makeOrders<Name extends string, Value extends number | string = number>(
  columns: Record<Name, Omit<KeysetOrder<Value>, 'direction'>>,
) {
  const orders = Object.entries<Omit<KeysetOrder<Value>, 'direction'>>(columns).flatMap(([name, column]) => [
    [name, { ...column, direction: 'asc' }],
    [`-${name}`, { ...column, direction: 'desc' }],
  ]);
  return Object.fromEntries(orders) as Record<Name | `-${Name}`, KeysetOrder<Value>>;
}

type AnyOrder = KeysetOrder<number | string>;

const refOf = (column: AnyOrder['column']) => (typeof column === 'string' ? sql.ref(column) : column);
const microseconds = (column: RawBuilder<unknown>) => sql<number>`(extract(epoch from ${column}) * 1000000)::bigint`;

/**
 * Returns the SQL expression for a row's sort value. Selects times in microseconds, because a JavaScript `Date` would
 * lose the microseconds, and pages would skip rows.
 */
function positionOf<Value>({ column, type }: AnyOrder): RawBuilder<Value> {
  const ref = refOf(column);
  return (type === 'time' ? microseconds(ref) : sql`${ref}`) as RawBuilder<Value>;
}

function isAfter({ column, type, direction }: AnyOrder, id: string, after: Position): Expression<SqlBool> {
  const value = {
    time: sql`timestamptz 'epoch' + ${after.value}::double precision * interval '1 microsecond'`,
    integer: sql`${after.value}::bigint`,
    text: sql`${after.value}::text`,
  }[type];
  const than = direction === 'asc' ? sql`>` : sql`<`;
  return sql<SqlBool>`(${refOf(column)}, ${sql.ref(id)}) ${than} (${value}, ${after.id})`;
}

/** Returns the `order by` expression: by the column, then by ID. */
export const orderOf = ({ column, direction }: AnyOrder, id: string): RawBuilder<unknown> => {
  const way = sql.raw(direction);
  return sql`${refOf(column)} ${way}, ${sql.ref(id)} ${way}`;
};

/** Reads a page of a query's results. Adds each row's sort value as `sortValue`. `id`: name of the ID column. */
export const readKeysetPage = <DB, TB extends keyof DB, O, Value extends number | string = number>(
  query: SelectQueryBuilder<DB, TB, O>,
  { order, id, after, limit }: Page & { order: KeysetOrder<Value>; id: string },
) =>
  (after ? query.where(isAfter(order, id, after)) : query)
    .select(positionOf<Value>(order).as('sortValue'))
    .orderBy(orderOf(order, id))
    .limit(limit)
    .execute();

export async function countRows<DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as('n')).$castTo<{ n: number }>();
  return (await counted.executeTakeFirstOrThrow()).n;
}
