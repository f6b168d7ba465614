import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { acquireLock } from './instance-lock.ts';
import { findRedisServer } from './redis/find-redis-server.ts';
import { redisUrl, runRedis, withRedis } from './redis/run-redis.ts';
import { stopOrphanRedis } from './redis/stop-orphan.ts';
import { makeRestartable, type Restartable } from './restartable.ts';

export interface RedisOptions {
  dataDir: string;
  /** The folder of a downloaded server, which instances share. */
  binDir: string;
  password: string;
  /** Default: a free port. A restarted server keeps it. */
  port?: number;
  onStep?: (message: string) => void;
  /** Called when the server exits without a call of `stop` or `kill`. */
  onUnexpectedExit?: (ending: string) => void;
}

export interface RedisHandle extends Restartable {
  /** redis://:PASSWORD@127.0.0.1:PORT */
  readonly url: string;
  /** Removes all data: with FLUSHALL while the server runs, else by removing its files. */
  empty(): Promise<void>;
}

/**
 * Opens a Redis or Valkey server on 127.0.0.1 with an append-only file, no eviction, and a password. Stops the server of a
 * killed starter first. Throws an error with the starter's pid if that process still runs.
 */
export async function openRedis(options: RedisOptions): Promise<RedisHandle> {
  const dataDir = resolve(options.dataDir);
  const { password, onStep = () => undefined } = options;
  const lock = acquireLock(`${dataDir}.lock`, `the Redis data in ${dataDir}`);
  try {
    const binary = await findRedisServer(resolve(options.binDir), onStep);
    await stopOrphanRedis(dataDir);
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    rmSync(`${dataDir}.log`, { force: true });
    const settings = { binary, dataDir, password };
    const { server, port } = await runRedis(settings, options.port);
    const restartable = makeRestartable(server, {
      name: 'Redis',
      run: async () => (await runRedis(settings, port)).server,
      stopSignal: 'SIGTERM',
      onStopped: lock.release,
      onUnexpectedExit: options.onUnexpectedExit,
    });
    const url = redisUrl(port, password);
    return Object.assign(restartable, {
      url,
      empty: async () => {
        if (restartable.running) await withRedis(url, (client) => client.flushall());
        else removeData(dataDir);
      },
    });
  } catch (error) {
    await stopOrphanRedis(dataDir);
    lock.release();
    throw error;
  }
}

function removeData(dataDir: string): void {
  for (const name of ['appendonlydir', 'appendonly.aof', 'dump.rdb'])
    rmSync(join(dataDir, name), { recursive: true, force: true });
}
