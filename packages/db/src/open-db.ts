import { currentSpan, withSpan } from '@uprez/tracing/spans';
import { CamelCasePlugin, Kysely, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import type { Db, Tables } from './database.ts';
import { beginWithoutFlush, flushStatement, lockStatement } from './locks.ts';
import { findLockName, findStatementName } from './prepare-query.ts';

/** Type OID of int8. Counts and sizes have this type and are parsed as numbers, because they stay far below 2^53. */
const int8 = 20;

export type DbTimeouts = { statementMs: number; lockMs: number; idleInTransactionMs: number };

const serviceTimeouts: DbTimeouts = { statementMs: 30_000, lockMs: 10_000, idleInTransactionMs: 10_000 };

/** Timeouts for migrations, reports, and bulk deletion. */
export const maintenanceTimeouts: DbTimeouts = { statementMs: 3_600_000, lockMs: 60_000, idleInTransactionMs: 60_000 };

/**
 * Time that the client keeps waiting after the statement timeout, in milliseconds. The server cancels the statement
 * before that, unless it doesn't respond.
 */
const graceMs = 5_000;

export type OpenDbOptions = {
  url: string;
  poolSize: number;
  /** Called when a connection breaks. The pool replaces it. */
  onError: (error: Error) => void;
  timeouts?: DbTimeouts;
  /** Waits for permission to take a connection, and returns a function to call when the connection is released. */
  admit?: Admit | undefined;
};
export type Admit = () => Promise<() => void>;

/** Opens a connection pool. It connects on the first query. */
export function openDb(options: OpenDbOptions) {
  const { url, poolSize, onError, timeouts = serviceTimeouts, admit } = options;
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    statement_timeout: timeouts.statementMs,
    lock_timeout: timeouts.lockMs,
    // Otherwise, a process that hangs inside a transaction would keep its locks, such as the claim lock.
    idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
    query_timeout: timeouts.statementMs + graceMs,
    // Lets a connection send queries without waiting for earlier results, as `runLocked` requires.
    pipeline: true,
    // Disables parallel workers, because each one takes a core from other requests and may repeat the work of the other
    // workers.
    options: '-c max_parallel_workers_per_gather=0',
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  pool.on('error', onError);
  // If a connection breaks while it is checked out, the client emits the error, not the pool.
  pool.on('connect', (client) => client.on('error', onError));
  const wrapped = wrapPool(pool, admit);
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: wrapped.pool }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  const poolStats = () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: wrapped.countWaiting() });
  return { db: db as Db, poolStats, close: () => db.destroy() };
}

/**
 * Wraps a pool to name prepared statements, because Kysely's dialect doesn't prepare any, and to call `admit` before
 * connecting. `countWaiting`: returns how many callers are waiting for admission or a connection.
 */
function wrapPool(pool: pg.Pool, admit?: Admit): { pool: PostgresPool; countWaiting: () => number } {
  let waiting = 0;
  // Reuses the wrapper of a client, because Kysely identifies a connection by its client object.
  const wrappers = new WeakMap<pg.PoolClient, { client: PostgresPoolClient; leave: () => void }>();
  const wrap = (client: pg.PoolClient) => {
    const query = (text: string, values: readonly unknown[]) => {
      const run = () => client.query({ name: findStatementName(text), text, values: [...values] });
      const lock = findLockName(text);
      return traceQuery(text, () => (lock === undefined ? run() : runLocked(client, lock, run)));
    };
    const release = () => {
      client.release();
      wrapper.leave();
    };
    const wrapper = { client: { query: query as unknown as PostgresPoolClient['query'], release }, leave: () => {} };
    wrappers.set(client, wrapper);
    return wrapper;
  };
  const connect = async () => {
    const leave = (await admit?.()) ?? (() => {});
    const client = await pool.connect().catch((error: unknown) => {
      leave();
      throw error;
    });
    const wrapper = wrappers.get(client) ?? wrap(client);
    wrapper.leave = leave;
    return wrapper.client;
  };
  const countAndConnect = () => {
    waiting += 1;
    return connect().finally(() => {
      waiting -= 1;
    });
  };
  return { pool: { connect: countAndConnect, end: () => pool.end() }, countWaiting: () => waiting };
}

/**
 * Runs a query in a transaction under an advisory lock, which is released before the commit is flushed to disk. Throws
 * the first error of the statements.
 */
async function runLocked(client: pg.PoolClient, lock: string, run: () => Promise<pg.QueryResult>) {
  const sent = [
    client.query(beginWithoutFlush),
    client.query({ name: 'lock', text: lockStatement, values: [lock] }),
    run(),
    // PostgreSQL rolls back instead if a statement failed.
    client.query('commit'),
    client.query(flushStatement),
  ];
  const ended = await Promise.allSettled(sent);
  const failed = ended.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return sent[2];
}

const statement = /^\s*(?:\/\*.*?\*\/\s*)?(?:with .*?\)\s*)?(select|insert|update|delete|begin|commit|rollback)\b/is;
const table = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i;

/**
 * Runs a query in a span of the current trace. The span contains the operation and the first table, never SQL or
 * values.
 */
function traceQuery<T>(sql: string, query: () => Promise<T>): Promise<T> {
  if (!currentSpan()?.isSampled) return query();
  const operation = (statement.exec(sql)?.[1] ?? 'query').toLowerCase();
  const collection = table.exec(sql)?.[1];
  const facts = { 'db.operation.name': operation, ...(collection && { 'db.collection.name': collection }) };
  return withSpan(`db ${operation}`, { kind: 'client', facts }, query);
}
