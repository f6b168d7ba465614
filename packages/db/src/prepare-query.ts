import { type CompiledQuery, type RawBuilder, sql } from 'kysely';
import type { DbOrTx } from './database.ts';

class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

type Query<Row> = { compile: (db: DbOrTx) => CompiledQuery<Row> };

const placeholders: object = new Proxy({}, { get: (_target, name) => new Placeholder(String(name)) });

const names = new Map<string, string>();

/** Returns the name of the prepared statement for an SQL string. Undefined if the SQL isn't prepared. */
export const findStatementName = (text: string): string | undefined => names.get(text);

const locks = new Map<string, string>();

/** Returns the name of the advisory lock for an SQL string. Undefined if the SQL runs without a lock. */
export const findLockName = (text: string): string | undefined => locks.get(text);

/**
 * Like `prepareQuery`, but runs the query in a transaction of its own that first waits for an advisory lock. The client
 * sends all statements together, so the lock isn't held during network round trips. Must not be used inside a
 * transaction.
 */
export function prepareLocked<Params extends object, Row>(lock: string, build: (params: Params) => RawBuilder<Row>) {
  return prepareQuery<Params, Row>((db, params) => {
    const query = sql<Row>`/* waits for ${sql.raw(lock)} */ ${build(params)}`.compile(db);
    locks.set(query.sql, lock);
    return { compile: () => query };
  });
}

const nameStatement = (text: string) => names.set(text, names.get(text) ?? `query_${names.size + 1}`);

/**
 * Runs a query as a prepared statement, which is parsed and planned once per connection. Only for queries with few SQL
 * variants. The query must name all columns (see `prepareQuery`).
 */
export async function runPrepared<Row>(db: DbOrTx, query: Query<Row>): Promise<Row[]> {
  const compiled = query.compile(db);
  nameStatement(compiled.sql);
  return (await db.executeQuery<Row>(compiled)).rows;
}

/**
 * Returns a function that runs a prepared query. The query is compiled once per process, and parsed and planned once
 * per connection. `build` must pass its parameters on unchanged. The query must name all columns, because PostgreSQL
 * rejects a prepared `select *` after a migration adds a column. Reading a job with its files takes 0.26 ms instead of
 * 2.3 ms (medians of 40 alternating rounds of 200 reads, AMD EPYC, 2 cores, 24 GB, busy).
 */
export function prepareQuery<Params extends object, Row>(build: (db: DbOrTx, params: Params) => Query<Row>) {
  let compiled: CompiledQuery<Row> | undefined;
  const compile = (db: DbOrTx) => {
    const query = build(db, placeholders as Params).compile(db);
    nameStatement(query.sql);
    return query;
  };
  return async (db: DbOrTx, params: Params): Promise<Row[]> => {
    compiled ??= compile(db);
    const parameters = compiled.parameters.map((value) =>
      value instanceof Placeholder ? params[value.name as keyof Params] : value,
    );
    return (await db.executeQuery<Row>({ ...compiled, parameters })).rows;
  };
}
