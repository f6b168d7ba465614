import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { downloadedRedis, downloadRedis } from '../src/open-redis.ts';
import { makeFolder } from './helpers.ts';

const isDebian = existsSync('/usr/bin/apt-get') && existsSync('/usr/bin/dpkg-deb');
const VERSION = '5:7.0.15-1';
const controls = {
  'redis-server': control('redis-server', `Depends: redis-tools (= ${VERSION})\n`),
  'redis-tools': control('redis-tools', ''),
};
type PackageName = keyof typeof controls;

afterEach(() => vi.unstubAllEnvs());

function control(name: string, depends: string): string {
  return `Package: ${name}\nVersion: ${VERSION}\nArchitecture: all\nMaintainer: none <none@example.test>\n${depends}Description: test\n`;
}

/** Builds a package and returns its entry in the archive's index. */
function buildPackage(archive: string, name: PackageName, addFiles: (bin: string) => void): string {
  const root = join(archive, name);
  mkdirSync(join(root, 'DEBIAN'), { recursive: true });
  mkdirSync(join(root, 'usr/bin'), { recursive: true });
  writeFileSync(join(root, 'DEBIAN/control'), controls[name]);
  addFiles(join(root, 'usr/bin'));
  const file = `${root}.deb`;
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', root, file], { stdio: 'ignore' });
  const bytes = readFileSync(file);
  const hash = createHash('sha256').update(bytes).digest('hex');
  return `${controls[name]}Filename: ./${name}.deb\nSize: ${bytes.length}\nSHA256: ${hash}\n`;
}

/** Points apt at an archive laid out as Debian's, on a system where `installed` are installed. */
function useArchive(installed: readonly PackageName[]): string {
  const folder = makeFolder();
  const archive = join(folder, 'archive');
  const server = buildPackage(archive, 'redis-server', (bin) =>
    symlinkSync('redis-check-rdb', join(bin, 'redis-server')),
  );
  const tools = buildPackage(archive, 'redis-tools', (bin) =>
    writeFileSync(join(bin, 'redis-check-rdb'), '#!/bin/sh\necho "Redis server v=7.0.15"\n', { mode: 0o755 }),
  );
  writeFileSync(join(archive, 'Packages'), `${server}\n${tools}`);
  const status = installed.map((name) => controls[name].replace('\n', '\nStatus: install ok installed\n')).join('\n');
  writeFileSync(join(folder, 'status'), status);
  writeFileSync(join(folder, 'sources.list'), `deb [trusted=yes] copy:${archive} ./\n`);
  writeFileSync(
    join(folder, 'apt.conf'),
    `Dir::State::status "${folder}/status";\nDir::Etc::sourcelist "${folder}/sources.list";\nDir::Etc::sourceparts "-";\n`,
  );
  vi.stubEnv('APT_CONFIG', join(folder, 'apt.conf'));
  return join(folder, 'redis');
}

describe.skipIf(!isDebian)('downloadRedis', () => {
  it.each<{ installed: PackageName[] }>([
    { installed: [] },
    { installed: ['redis-tools'] },
    { installed: ['redis-server', 'redis-tools'] },
  ])('unpacks a server that runs when $installed are installed', async ({ installed }) => {
    const cacheDir = useArchive(installed);
    await downloadRedis(cacheDir);
    const { command = 'missing' } = downloadedRedis(cacheDir) ?? {};
    expect(execFileSync(command, { encoding: 'utf8' })).toContain('v=7.0.15');
  });
});
