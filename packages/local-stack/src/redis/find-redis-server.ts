import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { hostEnv } from '../config.ts';

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

/** The program of a server and the environment that it needs. */
export interface RedisBinary {
  command: string;
  env: Record<string, string>;
}

const TIMEOUT_MS = 120_000;

/** Returns the server that an earlier download unpacked below `cacheDir`. */
export function downloadedRedis(cacheDir: string): RedisBinary | undefined {
  const root = join(cacheDir, 'root');
  const command = join(root, 'usr/bin/redis-server');
  if (!existsSync(command)) return undefined;
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => listFolders(join(root, folder)));
  return { command, env: { LD_LIBRARY_PATH: libraries.join(':') } };
}

/** On Debian and Ubuntu `redis-server` holds only a link to the program, which is in `redis-tools`. */
const PACKAGES = ['redis-server', 'redis-tools'];

/**
 * Downloads Redis from the Debian or Ubuntu archive and unpacks it below `cacheDir`, with the libraries that are not
 * installed. Installs nothing and needs no root: apt uses private lists and a private cache, and checks signatures.
 * Throws the error of apt-get or dpkg-deb, also when these programs do not exist.
 */
export async function downloadRedis(cacheDir: string): Promise<void> {
  const draft = `${cacheDir}.${process.pid}`;
  const lists = join(draft, 'lists');
  const archives = join(draft, 'cache/archives');
  const settings = { env: hostEnv(), timeout: TIMEOUT_MS };
  const aptGet = (...args: string[]) => run('apt-get', [...aptOptions(draft), '-qq', ...args], settings);
  try {
    for (const folder of [lists, archives]) mkdirSync(join(folder, 'partial'), { recursive: true });
    await aptGet('update');
    // Without --reinstall, apt leaves out packages that are installed, and the link would point nowhere.
    await aptGet('install', '-y', '--download-only', '--reinstall', '--no-install-recommends', ...PACKAGES);
    for (const name of readdirSync(archives)) {
      if (name.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, name), join(draft, 'root')], settings);
    }
    for (const folder of ['lists', 'cache']) rmSync(join(draft, folder), { recursive: true });
    rmSync(cacheDir, { recursive: true, force: true });
    renameSync(draft, cacheDir);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function aptOptions(draft: string): string[] {
  return [
    `Dir::State::lists=${join(draft, 'lists')}`,
    `Dir::Cache=${join(draft, 'cache')}`,
    'Debug::NoLocking=1',
    'APT::Sandbox::User=',
  ].flatMap((option) => ['-o', option]);
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
    .map((entry) => join(folder, entry.name));
}
