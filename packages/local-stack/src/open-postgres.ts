import { existsSync, rmSync } from 'node:fs';
import { acquireLock } from './instance-lock.ts';
import { ensureDatabase } from './postgres/ensure-database.ts';
import { initCluster } from './postgres/init-cluster.ts';
import { placeCluster } from './postgres/place-cluster.ts';
import { postgresUrl, runServer } from './postgres/run-server.ts';
import { stopOrphanPostgres } from './postgres/stop-orphan.ts';
import { makeRestartable, type Restartable } from './restartable.ts';

export interface PostgresOptions {
  dataDir: string;
  /** Of the superuser `uprez`; fixed by the first start on these data. */
  password: string;
  /** Default: a free one. A restarted server keeps its port. */
  port?: number;
  /** false for tests: faster; commits survive kill -9, while a power failure may lose the cluster. */
  fsync?: boolean;
  onStep?: (message: string) => void;
  /** Called when the server ends although neither `stop` nor `kill` was called. */
  onUnexpectedExit?: (ending: string) => void;
}

export interface PostgresHandle extends Restartable {
  /** postgres://uprez:PASSWORD@127.0.0.1:PORT/uprez */
  readonly url: string;
  /** Where the data really are; see `placeCluster`. */
  readonly dataDir: string;
  /** As `pg_ctl restart -m immediate`: sessions are cut, no checkpoint, recovery at the start. */
  restartImmediate(): Promise<void>;
}

/**
 * Opens an embedded PostgreSQL on 127.0.0.1, creating the cluster and the database `uprez` when missing. Works for root
 * and others. A server left by a killed starter is stopped first; while its starter lives, an error names that pid.
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
    return makeHandle(restartable, postgresUrl(port, settings.password), place.dataDir);
  } catch (error) {
    await stopOrphanPostgres(place.dataDir);
    lock.release();
    throw error;
  }
}

function makeHandle(restartable: Restartable, url: string, dataDir: string): PostgresHandle {
  return {
    get pid() {
      return restartable.pid;
    },
    get running() {
      return restartable.running;
    },
    url,
    dataDir,
    stop: restartable.stop,
    kill: restartable.kill,
    start: restartable.start,
    restartImmediate: async () => {
      await restartable.kill('SIGQUIT');
      await restartable.start();
    },
  };
}
