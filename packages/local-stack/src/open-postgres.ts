import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { openServer, type ServerOptions, type ServerProcess } from './open-server.ts';
import { type ClusterPlace, placeCluster } from './place-cluster.ts';

/**
 * `fsync: false` is for tests. Commits still survive kill -9, but a power failure may destroy the cluster. Also turns
 * off autovacuum.
 */
export type PostgresOptions = ServerOptions & { fsync?: boolean };

export type PostgresHandle = Awaited<ReturnType<typeof openPostgres>>;

/**
 * Higher than PostgreSQL's default of 100, because each test file and each process opens a pool. Parallel tests would
 * exceed the default.
 */
const MAX_CONNECTIONS = 200;

/** Identifies a PostgreSQL server that a killed starter left behind, by its pid file and a part of its command line. */
export const postgresOrphan = (dataDir: string) => ({
  pidFile: join(dataDir, 'postmaster.pid'),
  marker: `-D ${dataDir} `,
});

/**
 * Starts an embedded PostgreSQL server on 127.0.0.1. Creates the cluster and the database `uprez` if they don't exist.
 * Works as root and as other users.
 */
export async function openPostgres(options: PostgresOptions) {
  const { password, fsync = true, onStep = () => undefined } = options;
  const place = placeCluster(options.dataDir, onStep);
  const { dataDir, native, account } = place;
  const urlOf = (port: number, database: string) => `postgres://${ROLE_NAME}:${password}@127.0.0.1:${port}/${database}`;
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `max_connections=${MAX_CONNECTIONS}`];
  // Leaves synchronous_commit on, because commits must survive kill -9 of the server. Turns off autovacuum, because its
  // snapshot keeps VACUUM from removing rows that a test has just deleted.
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
      // After SIGKILL, old backends still hold the shared memory for a moment, and a new server can't start.
      temporary: /still in use/,
    },
    options,
  );
  return Object.assign(server, {
    /** postgres://uprez:PASSWORD@127.0.0.1:PORT/uprez */
    url: urlOf(server.port, ROLE_NAME),
    dataDir,
    /** Like `pg_ctl restart -m immediate`: ends sessions, skips the checkpoint, and recovers at startup. */
    restartImmediate: async () => {
      await server.kill('SIGQUIT');
      await server.start();
    },
  });
}

/**
 * Returns true if the server accepts queries, or undefined if it isn't ready yet. Creates the product's database if
 * necessary. If the server rejects the password, stops the server and throws.
 */
async function isReady(connectionString: string, server: ServerProcess): Promise<true | undefined> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 5_000 });
  // Without a listener, a connection that breaks between calls would end this process. Connections break, for example,
  // while another server on this port shuts down.
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

interface ClusterSettings {
  password: string;
  fsync: boolean;
}

/** Excludes this process's locale and PG* variables. */
const SERVER_ENV = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/** Name of the product's database, and of the role that owns every database in an embedded cluster. */
const ROLE_NAME = 'uprez';

/**
 * Creates the cluster unless it exists, with UTF-8 encoding, code point sort order, SCRAM passwords, and the superuser
 * `uprez`. Creates the cluster in a draft folder and renames the folder when it is complete, so an interrupted start
 * doesn't leave an incomplete cluster.
 */
async function initCluster(place: ClusterPlace, { password, fsync }: ClusterSettings): Promise<void> {
  if (existsSync(join(place.dataDir, 'PG_VERSION'))) return;
  const draft = `${place.dataDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  setOwner(place, draft);
  const passwordDir = mkdtempSync(join(tmpdir(), 'uprez-initdb-'));
  try {
    // Passes the password in a file, because initdb can't read /dev/stdin when it runs as another user.
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
