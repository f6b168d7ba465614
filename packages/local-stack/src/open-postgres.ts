import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openServer, type ServerOptions, type ServerProcess } from './open-server.ts';
import { type ClusterPlace, placeCluster } from './place-cluster.ts';

/**
 * `fsync: false` is for tests: commits survive kill -9, but a power failure may lose the cluster, and autovacuum is
 * off.
 */
export type PostgresOptions = ServerOptions & { fsync?: boolean };

export type PostgresHandle = Awaited<ReturnType<typeof openPostgres>>;

/** Each test file and each process opens a pool. The default of 100 is too low for parallel tests. */
const MAX_CONNECTIONS = 200;

/** Returns what identifies the PostgreSQL server of a killed starter. */
export const postgresOrphan = (dataDir: string) => ({
  pidFile: join(dataDir, 'postmaster.pid'),
  marker: `-D ${dataDir} `,
});

/**
 * Opens an embedded PostgreSQL on 127.0.0.1, and creates the cluster and the database `uprez` if they don't exist. Works
 * as root and as other users.
 */
export async function openPostgres(options: PostgresOptions) {
  const { password, fsync = true, onStep = () => undefined } = options;
  const place = placeCluster(options.dataDir, onStep);
  const { dataDir, native, account } = place;
  const urlOf = (port: number, database: string) => `postgres://${ROLE_NAME}:${password}@127.0.0.1:${port}/${database}`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `max_connections=${MAX_CONNECTIONS}`];
  // synchronous_commit stays on because commits must survive kill -9 of the server. Autovacuum is off because its
  // snapshot keeps rows that a test has just deleted and vacuumed.
  if (!fsync) settings.push('fsync=off', 'full_page_writes=off', 'autovacuum=off');
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
      // After SIGKILL, old backends briefly hold the shared memory.
      temporary: /still in use/,
    },
    options,
  );
  return Object.assign(server, {
    /** postgres://uprez:PASSWORD@127.0.0.1:PORT/uprez */
    url: urlOf(server.port, ROLE_NAME),
    dataDir,
    /** Restarts like `pg_ctl restart -m immediate`: ends sessions, skips the checkpoint, and recovers at startup. */
    restartImmediate: async () => {
      await server.kill('SIGQUIT');
      await server.start();
    },
  });
}

/**
 * Returns true once the server accepts queries, and creates the product's database if necessary. Stops the server and
 * throws if it rejects the password.
 */
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

const run = promisify(execFile);

/** `fsync: false` is for data that may be lost. */
interface ClusterSettings {
  password: string;
  fsync: boolean;
}

/** The environment of a database server, without the locale and PG* settings of this process. */
const SERVER_ENV = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/** The owner of every database in an embedded cluster, and the name of the product's database. */
const ROLE_NAME = 'uprez';

/**
 * Creates the cluster unless it exists: UTF-8, sorted by code point, SCRAM passwords, superuser `uprez`. Renames the folder
 * when it is complete, so an interrupted start doesn't leave an incomplete cluster.
 */
async function initCluster(place: ClusterPlace, { password, fsync }: ClusterSettings): Promise<void> {
  if (existsSync(join(place.dataDir, 'PG_VERSION'))) return;
  const draft = `${place.dataDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  setOwner(place, draft);
  const passwordDir = mkdtempSync(join(tmpdir(), 'uprez-initdb-'));
  try {
    // initdb can't read /dev/stdin when it runs as another user.
    const passwordFile = join(passwordDir, 'password');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    setOwner(place, passwordFile);
    setOwner(place, passwordDir);
    const args = [
      '-D',
      draft,
      '-U',
      ROLE_NAME,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--no-instructions',
    ];
    const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await run(join(place.native, 'bin/initdb'), [...args, ...locale, ...(fsync ? [] : ['--no-sync'])], {
      ...place.account,
      cwd: draft,
      env: SERVER_ENV,
    });
  } finally {
    rmSync(passwordDir, { recursive: true, force: true });
  }
  rmSync(place.dataDir, { recursive: true, force: true });
  renameSync(draft, place.dataDir);
}

function setOwner({ account }: ClusterPlace, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}
