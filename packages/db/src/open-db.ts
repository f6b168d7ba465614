import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Db, Tables } from './database.ts';

/** int8 (counts, sizes) fits a JavaScript number here: no count or size comes near 2^53. */
const int8 = 20;

export type OpenDbOptions = {
  url: string;
  /** Most connections held at once. */
  poolSize: number;
  /** Told of a broken idle connection; the pool replaces it by itself. */
  onError: (error: Error) => void;
};

/** Open a connection pool. No connection is made before the first query; `close` ends them all. */
export function openDb({ url, poolSize, onError }: OpenDbOptions): { db: Db; close: () => Promise<void> } {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    query_timeout: 30_000,
    // A process that stands still inside a transaction would hold its locks, such as the turn to claim.
    idle_in_transaction_session_timeout: 10_000,
    types: {
      getTypeParser: (oid: number, format?: 'text' | 'binary') =>
        oid === int8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
    },
  });
  pool.on('error', onError);
  // A connection that breaks while it is checked out reports on the client, not on the pool.
  pool.on('connect', (client) => client.on('error', onError));
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    // JSON columns keep the keys that were written.
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return { db, close: () => db.destroy() };
}
