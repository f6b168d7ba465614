import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { hostEnv } from '../config.ts';
import type { RedisBinary } from './redis-binary.ts';

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;

/** Returns the server unpacked below `cacheDir` by an earlier download, if any. */
export function downloadedRedis(cacheDir: string): RedisBinary | undefined {
  const root = join(cacheDir, 'root');
  const command = join(root, 'usr/bin/redis-server');
  if (!existsSync(command)) return undefined;
  const libraries = ['usr/lib', 'lib'].flatMap((folder) => listFolders(join(root, folder)));
  return { command, env: { LD_LIBRARY_PATH: libraries.join(':') } };
}

/**
 * Downloads Debian's or Ubuntu's redis-server with those of its libraries that this system lacks, and unpacks it below
 * `cacheDir`. Installs nothing and needs no root: apt works on private lists and a private cache, and checks signatures.
 * Throws what apt-get or dpkg-deb said, also where they do not exist.
 */
export async function downloadRedis(cacheDir: string): Promise<void> {
  const draft = `${cacheDir}.${process.pid}`;
  const folders = { lists: join(draft, 'state/lists/partial'), archives: join(draft, 'cache/archives/partial') };
  try {
    for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
    const options = [
      `Dir::State=${join(draft, 'state')}`,
      'Dir::State::status=/var/lib/dpkg/status',
      `Dir::Cache=${join(draft, 'cache')}`,
      'Debug::NoLocking=1',
      'APT::Sandbox::User=',
    ].flatMap((option) => ['-o', option]);
    const settings = { env: hostEnv(), timeout: TIMEOUT_MS };
    await run('apt-get', [...options, 'update', '-qq'], settings);
    const install = ['install', '-qq', '-y', '--download-only', '--no-install-recommends', 'redis-server'];
    await run('apt-get', [...options, ...install], settings);
    const archives = join(draft, 'cache/archives');
    for (const name of readdirSync(archives)) {
      if (name.endsWith('.deb')) await run('dpkg-deb', ['-x', join(archives, name), join(draft, 'root')], settings);
    }
    rmSync(join(draft, 'state'), { recursive: true });
    rmSync(join(draft, 'cache'), { recursive: true });
    rmSync(cacheDir, { recursive: true, force: true });
    renameSync(draft, cacheDir);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function listFolders(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name.includes('-linux-'))
    .map((entry) => join(folder, entry.name));
}
