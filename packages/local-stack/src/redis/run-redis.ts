import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { findFreePort } from '../find-free-port.ts';
import { pollUntil } from '../poll-until.ts';
import { readLogTail, type ServerProcess, spawnServer } from '../spawn-server.ts';
import type { RedisBinary } from './download-redis.ts';
import { redisPidFile } from './stop-orphan.ts';

export interface RedisSettings {
  binary: RedisBinary;
  dataDir: string;
  password: string;
}

const START_TIMEOUT_MS = 30_000;

/** Returns the URL of the server at `port`. */
export function redisUrl(port: number, password: string): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

/**
 * Starts the server on `port` (default: a free port) and waits until it has loaded its data. Throws an error with the end of
 * the server's log when it doesn't start.
 */
export async function runRedis(
  settings: RedisSettings,
  fixedPort?: number,
): Promise<{ server: ServerProcess; port: number }> {
  const logFile = `${settings.dataDir}.log`;
  return pollUntil(
    async () => {
      const port = fixedPort ?? (await findFreePort());
      const server = await spawnRedis(settings, port);
      if (await isReady(server, redisUrl(port, settings.password))) return { server, port };
      const log = readLogTail(logFile);
      // Another port is chosen only if the caller didn't choose one.
      if (!fixedPort && /Address already in use/.test(log)) return undefined;
      throw new Error(`Redis did not start (${server.ending()}). The end of ${logFile}:\n${log}`);
    },
    { timeoutMs: START_TIMEOUT_MS, waitingFor: `for Redis to start (log: ${logFile})` },
  );
}

/** Calls `use` with a new connection, which fails immediately when the server is unavailable. */
export async function withRedis<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  // Without a listener ioredis prints every failed attempt. connect() rejects with the same error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await use(client);
  } finally {
    client.disconnect();
  }
}

function spawnRedis({ binary, dataDir, password }: RedisSettings, port: number): Promise<ServerProcess> {
  // In a file, because every user of the machine can read command lines.
  const configFile = join(dataDir, 'redis.conf');
  writeFileSync(configFile, `requirepass ${password}\n`, { mode: 0o600 });
  const settings = {
    dir: dataDir,
    port: String(port),
    bind: '127.0.0.1',
    appendonly: 'yes',
    // The append-only file contains all data, so snapshots aren't needed.
    save: '',
    'maxmemory-policy': 'noeviction',
    pidfile: redisPidFile(dataDir),
    'set-proc-title': 'no',
  };
  return spawnServer({
    command: binary.command,
    args: [configFile, ...Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value])],
    cwd: dataDir,
    env: binary.env,
    logFile: `${dataDir}.log`,
  });
}

/** Waits until the server is ready (true) or exits (false). */
async function isReady(server: ServerProcess, url: string): Promise<boolean> {
  const ask = async () => {
    if (server.ending() !== undefined) return false;
    try {
      return await withRedis(url, async (client) => (await client.ping()) === 'PONG' || undefined);
    } catch {
      return undefined;
    }
  };
  return pollUntil(ask, { timeoutMs: START_TIMEOUT_MS, waitingFor: 'for Redis to be ready' });
}
