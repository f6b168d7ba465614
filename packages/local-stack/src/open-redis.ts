import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { hostEnv } from './config.ts';
import { openServer, type ServerOptions } from './open-server.ts';

/** `binDir`: folder for a downloaded server. Several instances can share the folder. */
export type RedisOptions = ServerOptions & { binDir: string };

export type RedisHandle = Awaited<ReturnType<typeof openRedis>>;

/** Identifies a Redis server that a killed starter left behind, by its pid file and a part of its command line. */
export const identifyRedisOrphan = (dataDir: string) => ({
  pidFile: join(dataDir, 'redis.pid'),
  marker: `--dir ${dataDir} `,
});

/**
 * Starts a Redis or Valkey server on 127.0.0.1. The server requires a password, writes an append-only file, and never
 * evicts keys.
 */
export async function openRedis(options: RedisOptions) {
  const dataDir = resolve(options.dataDir);
  const { password, onStep = () => undefined } = options;
  const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;
  const binary = await findRedisServer(resolve(options.binDir), onStep);
  const server = await openServer(
    {
      name: 'Redis',
      dataDir,
      orphan: identifyRedisOrphan(dataDir),
      stopSignal: 'SIGTERM',
      prepare: async () => {
        mkdirSync(dataDir, { recursive: true, mode: 0o700 });
        // Passes the password in a file, because every user of the machine can read command lines.
        writeFileSync(join(dataDir, 'redis.conf'), `requirepass ${password}\n`, { mode: 0o600 });
      },
      command: (port) => makeCommand(binary, dataDir, port),
      isReady: (port) => withRedis(urlOf(port), isLoaded).catch(() => undefined),
    },
    options,
  );
  const url = urlOf(server.port);
  return Object.assign(server, {
    /** redis://:PASSWORD@127.0.0.1:PORT */
    url,
    /** Uses FLUSHALL if the server is running, and otherwise removes the data files. */
    empty: async () => {
      if (server.running) await withRedis(url, (client) => client.flushall());
      else
        for (const name of ['appendonlydir', 'appendonly.aof', 'dump.rdb'])
          rmSync(join(dataDir, name), { recursive: true, force: true });
    },
  });
}

/** Calls `use` with a new connection. Fails immediately if the server is unavailable. */
export async function withRedis<T>(url: string, use: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null, enableReadyCheck: false });
  // Without a listener, ioredis prints every failed attempt. connect() rejects with the same error.
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
    pidfile: identifyRedisOrphan(dataDir).pidFile,
    'set-proc-title': 'no',
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
  return { command, args: [join(dataDir, 'redis.conf'), ...flags], env };
}

const run = promisify(execFile);

/**
 * Older versions lack `set-proc-title`. Without this setting, Redis rewrites its command line, which identifies an
 * orphan. BullMQ also recommends against older versions.
 */
const MIN_VERSION = [6, 2] as const;

/**
 * Finds valkey-server or redis-server, version 6.2 or newer, on PATH or below `cacheDir`. If neither is found,
 * downloads Redis from the Debian or Ubuntu archive (1.4 MB). If the download fails, throws an error with instructions.
 */
async function findRedisServer(cacheDir: string, onStep: (message: string) => void): Promise<RedisBinary> {
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

interface RedisBinary {
  command: string;
  env: Record<string, string>;
}

const TIMEOUT_MS = 120_000;

/**
 * Returns the server that an earlier download unpacked below `cacheDir`, or undefined if the server was never
 * downloaded.
 */
export function downloadedRedis(cacheDir: string): RedisBinary | undefined {
  const root = join(cacheDir, 'root');
  const command = join(root, 'usr/bin/redis-server');
  if (!existsSync(command)) return undefined;
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => listFolders(join(root, folder)));
  return { command, env: { LD_LIBRARY_PATH: libraries.join(':') } };
}

/** On Debian and Ubuntu, `redis-server` contains only a link to the executable, which is in `redis-tools`. */
const PACKAGES = ['redis-server', 'redis-tools'];

/**
 * Downloads Redis from the Debian or Ubuntu archive and unpacks it below `cacheDir`, with the libraries that aren't
 * installed. Doesn't install packages or need root, because apt uses private lists and a private cache. apt still
 * verifies signatures. Throws if apt-get or dpkg-deb fails or doesn't exist.
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
    // Without --reinstall, apt doesn't download packages that are already installed, and the link to an executable in a
    // missing package would be broken.
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
