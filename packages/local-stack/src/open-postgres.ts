import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { ServerProcess } from './open-server.ts';
import { openServer, type ServerHandle, type ServerOptions } from './open-server.ts';
import { initCluster, ROLE_NAME, SERVER_ENV } from './postgres/init-cluster.ts';
import { placeCluster } from './postgres/place-cluster.ts';

/** `fsync: false` is faster, for tests: commits survive kill -9, but a power failure may lose the cluster. */
export type PostgresOptions = ServerOptions & { fsync?: boolean };

export interface PostgresHandle extends ServerHandle {
  /** postgres://uprez:PASSWORD@127.0.0.1:PORT/uprez */
  readonly url: string;
  /** The folder of the data, which `placeCluster` chooses. */
  readonly dataDir: string;
  /** Restarts as `pg_ctl restart -m immediate` does: ends sessions, skips the checkpoint, and recovers at the start. */
  restartImmediate(): Promise<void>;
}

/** Each test file and each process opens a pool. The default of 100 is too low for parallel tests. */
const MAX_CONNECTIONS = 200;

/** Returns how the PostgreSQL server of a killed starter is found. */
export const postgresOrphan = (dataDir: string) => ({
  pidFile: join(dataDir, 'postmaster.pid'),
  marker: `-D ${dataDir} `,
});

/**
 * Opens an embedded PostgreSQL on 127.0.0.1, and creates the cluster and the database `uprez` if they don't exist. Works
 * as root and as other users.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresHandle> {
  const { password, fsync = true, onStep = () => undefined } = options;
  const place = placeCluster(options.dataDir, onStep);
  const { dataDir, native, account } = place;
  const urlOf = (port: number, database: string) => `postgres://${ROLE_NAME}:${password}@127.0.0.1:${port}/${database}`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `max_connections=${MAX_CONNECTIONS}`];
  // synchronous_commit stays on: commits must survive kill -9 of the server.
  if (!fsync) settings.push('fsync=off', 'full_page_writes=off');
  const server = await openServer(
    {
      name: 'PostgreSQL',
      dataDir,
      orphan: postgresOrphan(dataDir),
      stopSignal: 'SIGINT',
      prepare: async () => {
        if (!existsSync(dataDir)) onStep('creating the PostgreSQL cluster');
        await initCluster(place, { password, fsync });
      },
      command: (port) => ({
        command: join(native, 'bin/postgres'),
        args: ['-D', dataDir, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
        env: SERVER_ENV,
        ...(account && { ids: account }),
      }),
      isReady: (port, started) => isReady(urlOf(port, 'postgres'), started),
      // After SIGKILL, old backends hold the shared memory for a moment.
      temporary: /still in use/,
    },
    options,
  );
  return Object.assign(server, {
    url: urlOf(server.port, ROLE_NAME),
    dataDir,
    restartImmediate: async () => {
      await server.kill('SIGQUIT');
      await server.start();
    },
  });
}

/** Creates the product's database when the server accepts queries. Stops a server that rejects the password. */
async function isReady(connectionString: string, server: ServerProcess): Promise<true | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // The connection may break between calls, for example while another server on this port shuts down.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [ROLE_NAME]);
    if (!rowCount) await client.query(`create database ${ROLE_NAME}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code !== '28P01') return undefined;
    await server.end('SIGINT');
    throw new Error(
      'The PostgreSQL data were created with another password. Restore secrets.json, or remove the data.',
    );
  } finally {
    await client.end();
  }
}
