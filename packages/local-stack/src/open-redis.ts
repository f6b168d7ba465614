import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { acquireLock } from './instance-lock.ts';
import { findRedisServer } from './redis/find-redis-server.ts';
import { redisUrl, runRedis, withRedis } from './redis/run-redis.ts';
import { stopOrphanRedis } from './redis/stop-orphan.ts';
import { makeRestartable, type Restartable } from './restartable.ts';

export interface RedisOptions {
  dataDir: string;
  /** Where a downloaded server is kept; share it between instances, it is downloaded once. */
  binDir: string;
  password: string;
  /** Default: a free one. A restarted server keeps its port. */
  port?: number;
  onStep?: (message: string) => void;
  /** Called when the server ends although neither `stop` nor `kill` was called. */
  onUnexpectedExit?: (ending: string) => void;
}

export interface RedisHandle extends Restartable {
  /** redis://:PASSWORD@127.0.0.1:PORT */
  readonly url: string;
  /** Running: FLUSHALL. Killed: removes the files, so that `start` begins as on an empty volume. */
  empty(): Promise<void>;
}

/**
 * Opens a Redis (or Valkey) server of our own on 127.0.0.1: append-only file on, no eviction, a password.
 * A server left by a killed starter is stopped first; while its starter lives, an error names that pid.
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
    return makeHandle(restartable, redisUrl(port, password), dataDir);
  } catch (error) {
    await stopOrphanRedis(dataDir);
    lock.release();
    throw error;
  }
}

function makeHandle(restartable: Restartable, url: string, dataDir: string): RedisHandle {
  return {
    get pid() {
      return restartable.pid;
    },
    get running() {
      return restartable.running;
    },
    url,
    stop: restartable.stop,
    kill: restartable.kill,
    start: restartable.start,
    empty: async () => {
      if (restartable.running) await withRedis(url, (client) => client.flushall());
      else for (const name of ['appendonlydir', 'appendonly.aof', 'dump.rdb']) removeData(dataDir, name);
    },
  };
}

function removeData(dataDir: string, name: string): void {
  rmSync(join(dataDir, name), { recursive: true, force: true });
}
