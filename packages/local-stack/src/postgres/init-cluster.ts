import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClusterPlace } from './place-cluster.ts';

const run = promisify(execFile);

/** `fsync: false` is for data that may be lost. */
export interface ClusterSettings {
  password: string;
  fsync: boolean;
}

/** The environment of a database server, without the locale and PG* settings of this process. */
export const SERVER_ENV = { LC_ALL: 'C', PATH: '/usr/bin:/bin' };

/** The owner of every database in an embedded cluster, and the name of the product's database. */
export const ROLE_NAME = 'uprez';

/**
 * Creates the cluster unless it exists: UTF-8, sorted by code point, SCRAM passwords, superuser `uprez`. Renames the folder
 * when it is complete, so an interrupted start doesn't leave an incomplete cluster.
 */
export async function initCluster(place: ClusterPlace, { password, fsync }: ClusterSettings): Promise<void> {
  if (existsSync(join(place.dataDir, 'PG_VERSION'))) return;
  const draft = `${place.dataDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  setOwner(place, draft);
  const passwordDir = mkdtempSync(join(tmpdir(), 'uprez-initdb-'));
  try {
    // initdb can't read /dev/stdin when it runs as another user.
    const passwordFile = join(passwordDir, 'password');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    setOwner(place, passwordFile);
    setOwner(place, passwordDir);
    const args = [
      '-D',
      draft,
      '-U',
      ROLE_NAME,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--no-instructions',
    ];
    const locale = ['-E', 'UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    await run(join(place.native, 'bin/initdb'), [...args, ...locale, ...(fsync ? [] : ['--no-sync'])], {
      ...place.account,
      cwd: draft,
      env: SERVER_ENV,
    });
  } finally {
    rmSync(passwordDir, { recursive: true, force: true });
  }
  rmSync(place.dataDir, { recursive: true, force: true });
  renameSync(draft, place.dataDir);
}

function setOwner({ account }: ClusterPlace, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}
