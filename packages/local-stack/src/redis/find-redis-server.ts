import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { hostEnv } from '../config.ts';
import { downloadedRedis, downloadRedis, type RedisBinary } from './download-redis.ts';

const run = promisify(execFile);

/** Older versions lack `set-proc-title`, which identifies an orphan, and BullMQ recommends against them. */
const MIN_VERSION = [6, 2] as const;

/**
 * Finds valkey-server or redis-server 6.2 or newer on PATH, else below `cacheDir`, after a download from the Debian or Ubuntu
 * archive (1.4 MB) if necessary. Throws an error with instructions when there is none.
 */
export async function findRedisServer(cacheDir: string, onStep: (message: string) => void): Promise<RedisBinary> {
  for (const command of listOnPath(['valkey-server', 'redis-server'])) {
    const binary = { command, env: {} };
    if (await isUsable(binary)) return binary;
  }
  const cached = downloadedRedis(cacheDir);
  if (cached && (await isUsable(cached))) return cached;
  try {
    onStep('downloading redis-server, which is not installed');
    await downloadRedis(cacheDir);
    const fresh = downloadedRedis(cacheDir);
    if (fresh && (await isUsable(fresh))) return fresh;
    throw new Error("the downloaded server doesn't run");
  } catch (cause) {
    throw new Error(
      `No Redis found. Install Valkey or Redis ${MIN_VERSION.join('.')} or newer (apt-get install redis-server, brew install valkey), or set REDIS_URL. The download failed: ${(cause as Error).message}`,
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
    return Number(major) > MIN_VERSION[0] || (Number(major) === MIN_VERSION[0] && Number(minor) >= MIN_VERSION[1]);
  } catch {
    return false;
  }
}
