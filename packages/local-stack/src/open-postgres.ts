import { existsSync, rmSync } from 'node:fs';
import pg from 'pg';
import { acquireLock } from './instance-lock.ts';
import { initCluster, ROLE_NAME } from './postgres/init-cluster.ts';
import { placeCluster } from './postgres/place-cluster.ts';
import { postgresUrl, runServer } from './postgres/run-server.ts';
import { stopOrphanPostgres } from './postgres/stop-orphan.ts';
import { makeRestartable, type Restartable } from './restartable.ts';

export interface PostgresOptions {
  dataDir: string;
  /** The password of the superuser `uprez`. Set by the first start and fixed from then on. */
  password: string;
  /** Default: a free port. A restarted server keeps it. */
  port?: number;
  /** Tests use false, which is faster: commits survive kill -9, but a power failure may lose the cluster. */
  fsync?: boolean;
  onStep?: (message: string) => void;
  /** Called when the server exits without a call of `stop` or `kill`. */
  onUnexpectedExit?: (ending: string) => void;
}

export interface PostgresHandle extends Restartable {
  /** postgres://uprez:PASSWORD@127.0.0.1:PORT/uprez */
  readonly url: string;
  /** The folder of the data, which `placeCluster` chooses. */
  readonly dataDir: string;
  /** Restarts as `pg_ctl restart -m immediate` does: ends sessions, skips the checkpoint, and recovers at the start. */
  restartImmediate(): Promise<void>;
}

/**
 * Opens an embedded PostgreSQL on 127.0.0.1, and creates the cluster and the database `uprez` if they don't exist. Works
 * as root and as other users. Stops the server of a killed starter first. Throws an error with the starter's pid if that
 * process still runs.
 */
export async function openPostgres(options: PostgresOptions): Promise<PostgresHandle> {
  const { onStep = () => undefined } = options;
  const place = placeCluster(options.dataDir, onStep);
  const lock = acquireLock(`${place.dataDir}.lock`, `the PostgreSQL data in ${place.dataDir}`);
  try {
    await stopOrphanPostgres(place.dataDir);
    const settings = { place, password: options.password, fsync: options.fsync ?? true };
    if (!existsSync(place.dataDir)) onStep('creating the PostgreSQL cluster');
    await initCluster(place, settings);
    rmSync(`${place.dataDir}.log`, { force: true });
    const { server, port } = await runServer(settings, options.port);
    const restartable = makeRestartable(server, {
      name: 'PostgreSQL',
      run: async () => (await runServer(settings, port)).server,
      stopSignal: 'SIGINT',
      onStopped: lock.release,
      onUnexpectedExit: options.onUnexpectedExit,
    });
    await ensureDatabase(port, settings.password);
    return Object.assign(restartable, {
      url: postgresUrl(port, settings.password),
      dataDir: place.dataDir,
      restartImmediate: async () => {
        await restartable.kill('SIGQUIT');
        await restartable.start();
      },
    });
  } catch (error) {
    await stopOrphanPostgres(place.dataDir);
    lock.release();
    throw error;
  }
}

/** Creates the product's database unless it exists. */
async function ensureDatabase(port: number, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl(port, password, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [ROLE_NAME]);
    if (!rowCount) await client.query(`create database ${ROLE_NAME}`);
  } finally {
    await client.end();
  }
}
