import pg from 'pg';
import { ROLE_NAME } from './init-cluster.ts';
import { postgresUrl } from './run-server.ts';

/** Creates the product's database (named as its owner) unless it exists. */
export async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(port, password, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [ROLE_NAME]);
    if (!rowCount) await client.query(`create database ${ROLE_NAME}`);
  } finally {
    await client.end();
  }
}
