import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { hostEnv } from '../config.ts';
import { downloadedRedis, downloadRedis } from './download-redis.ts';
import type { RedisBinary } from './redis-binary.ts';

const run = promisify(execFile);

/** Older ones lack `set-proc-title`, by which an orphan is recognised, and are discouraged by BullMQ. */
const OLDEST = [6, 2] as const;

/**
 * Finds valkey-server or redis-server 6.2 or newer on PATH, else the copy below `cacheDir`, which is downloaded from the
 * Debian or Ubuntu archive when missing (1.4 MB). Throws an error that names the fix where none of this is possible.
 */
export async function findRedisServer(cacheDir: string, onStep: (message: string) => void): Promise<RedisBinary> {
  for (const command of listOnPath(['valkey-server', 'redis-server'])) {
    const binary = { command, env: {} };
    if (await isUsable(binary)) return binary;
  }
  const cached = downloadedRedis(cacheDir);
  if (cached && (await isUsable(cached))) return cached;
  try {
    onStep('downloading redis-server, which is not installed on this machine');
    await downloadRedis(cacheDir);
    const fresh = downloadedRedis(cacheDir);
    if (fresh && (await isUsable(fresh))) return fresh;
    throw new Error('the downloaded server does not run');
  } catch (cause) {
    throw new Error(
      `no Redis found. Install valkey or redis ${OLDEST.join('.')} or newer (apt-get install redis-server, brew install valkey), or set REDIS_URL. Downloading it failed: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function listOnPath(names: string[]): string[] {
  const folders = (hostEnv().PATH ?? '').split(delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).filter((path) => existsSync(path));
}

async function isUsable({ command, env }: RedisBinary): Promise<boolean> {
  try {
    const { stdout } = await run(command, ['--version'], { env, timeout: 10_000 });
    const [, major, minor] = /v=(\d+)\.(\d+)/.exec(stdout) ?? [];
    if (!major || !minor) return false;
    return Number(major) > OLDEST[0] || (Number(major) === OLDEST[0] && Number(minor) >= OLDEST[1]);
  } catch {
    return false;
  }
}
