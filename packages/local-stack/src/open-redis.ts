import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Redis } from 'ioredis';
import { openServer, type ServerHandle, type ServerOptions } from './open-server.ts';
import type { RedisBinary } from './redis/find-redis-server.ts';
import { findRedisServer } from './redis/find-redis-server.ts';

/** `binDir`: folder of a downloaded server, which instances share. */
export type RedisOptions = ServerOptions & { binDir: string };

export interface RedisHandle extends ServerHandle {
  /** redis://:PASSWORD@127.0.0.1:PORT */
  readonly url: string;
  /** Removes all data: with FLUSHALL while the server runs, else by removing its files. */
  empty(): Promise<void>;
}

/** Returns how the Redis server of a killed starter is found. */
export const redisOrphan = (dataDir: string) => ({
  pidFile: join(dataDir, 'redis.pid'),
  marker: `--dir ${dataDir} `,
});

/** Opens a Redis or Valkey server on 127.0.0.1 with an append-only file, no eviction, and a password. */
export async function openRedis(options: RedisOptions): Promise<RedisHandle> {
  const dataDir = resolve(options.dataDir);
  const { password, onStep = () => undefined } = options;
  const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const binary = await findRedisServer(resolve(options.binDir), onStep);
  const server = await openServer(
    {
      name: 'Redis',
      dataDir,
      orphan: redisOrphan(dataDir),
      stopSignal: 'SIGTERM',
      prepare: async () => {
        mkdirSync(dataDir, { recursive: true, mode: 0o700 });
        // In a file, because every user of the machine can read command lines.
        writeFileSync(join(dataDir, 'redis.conf'), `requirepass ${password}\n`, { mode: 0o600 });
      },
      command: (port) => makeCommand(binary, dataDir, port),
      isReady: (port) => withRedis(urlOf(port), isLoaded).catch(() => undefined),
    },
    options,
  );
  const url = urlOf(server.port);
  return Object.assign(server, {
    url,
    empty: async () => {
      if (server.running) await withRedis(url, (client) => client.flushall());
      else
        for (const name of ['appendonlydir', 'appendonly.aof', 'dump.rdb'])
          rmSync(join(dataDir, name), { recursive: true, force: true });
    },
  });
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

const isLoaded = async (client: Redis) => (await client.ping()) === 'PONG' || undefined;

function makeCommand({ command, env }: RedisBinary, dataDir: string, port: number) {
  const settings = {
    dir: dataDir,
    port: String(port),
    bind: '127.0.0.1',
    appendonly: 'yes',
    // The append-only file contains all data, so snapshots aren't needed.
    save: '',
    'maxmemory-policy': 'noeviction',
    pidfile: redisOrphan(dataDir).pidFile,
    'set-proc-title': 'no',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return { command, args: [join(dataDir, 'redis.conf'), ...flags], env };
}
