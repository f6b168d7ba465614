import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../find-free-port.ts';
import { pollUntil } from '../poll-until.ts';
import { readLogTail, type ServerProcess, spawnServer } from '../spawn-server.ts';
import { type ClusterSettings, ROLE_NAME, SERVER_ENV } from './init-cluster.ts';
import type { ClusterPlace } from './place-cluster.ts';

export interface ServerSettings extends ClusterSettings {
  place: ClusterPlace;
}

/** Each test file and each process opens a pool. The default of 100 is too low for parallel tests. */
const MAX_CONNECTIONS = 200;
const START_TIMEOUT_MS = 60_000;

/** Returns the URL of a database on the server at `port`. */
export function postgresUrl(port: number, password: string, database = ROLE_NAME): string {
  return `postgres://${ROLE_NAME}:${password}@127.0.0.1:${port}/${database}`;
}

/**
 * Starts the server on `port` (default: a free port) and waits until it accepts queries. Throws an error with the end of the
 * server's log when it doesn't, and when the data were created with another password.
 */
export async function runServer(
  settings: ServerSettings,
  fixedPort?: number,
): Promise<{ server: ServerProcess; port: number }> {
  const logFile = `${settings.place.dataDir}.log`;
  return pollUntil(
    async () => {
      const port = fixedPort ?? (await findFreePort());
      const server = await spawnPostgres(settings, port);
      if (await isReady(server, postgresUrl(port, settings.password, 'postgres'))) return { server, port };
      const log = readLogTail(logFile);
      // After SIGKILL, old backends hold the shared memory for a moment. A free port may be taken in the meantime.
      const isTemporary = /still in use/.test(log) || (!fixedPort && /Address already in use/.test(log));
      if (!isTemporary)
        throw new Error(`PostgreSQL did not start (${server.ending()}). The end of ${logFile}:\n${log}`);
      return undefined;
    },
    { timeoutMs: START_TIMEOUT_MS, intervalMs: 100, waitingFor: `for PostgreSQL to start (log: ${logFile})` },
  );
}

function spawnPostgres({ place, fsync }: ServerSettings, port: number): Promise<ServerProcess> {
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', `max_connections=${MAX_CONNECTIONS}`];
  // synchronous_commit stays on: commits must survive kill -9 of the server.
  if (!fsync) options.push('fsync=off', 'full_page_writes=off');
  return spawnServer({
    command: join(place.native, 'bin/postgres'),
    args: ['-D', place.dataDir, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
    cwd: place.dataDir,
    env: SERVER_ENV,
    logFile: `${place.dataDir}.log`,
    ...(place.account && { ids: place.account }),
  });
}

/** Waits until the server accepts queries (true) or exits (false). Stops a server that rejects the password. */
async function isReady(server: ServerProcess, url: string): Promise<boolean> {
  const ask = async () => {
    if (server.ending() !== undefined) return false;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
    // The connection may break between calls, for example while another server on this port shuts down.
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
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
  };
  return pollUntil(ask, { timeoutMs: START_TIMEOUT_MS, waitingFor: 'for PostgreSQL to accept queries' });
}
