import { execFile } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ClusterPlace } from './place-cluster.ts';
import { SERVER_ENV } from './server-env.ts';

const run = promisify(execFile);

/** What the cluster is made with. fsync off: for data that may be lost. */
export interface ClusterSettings {
  password: string;
  fsync: boolean;
}

/** Owner of every database of an embedded cluster, and the name of the one the product uses. */
export const ROLE_NAME = 'uprez';

/**
 * Creates the cluster unless it exists: UTF-8, sorted by code point, scram passwords, superuser `uprez`.
 * Built beside its place and renamed at the end, so an interrupted start never leaves half a cluster behind.
 */
export async function initCluster(place: ClusterPlace, { password, fsync }: ClusterSettings): Promise<void> {
  if (existsSync(join(place.dataDir, 'PG_VERSION'))) return;
  const draft = `${place.dataDir}.new`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { mode: 0o700 });
  give(place, draft);
  const passwordDir = mkdtempSync(join(tmpdir(), 'uprez-initdb-'));
  try {
    // A real file: initdb cannot open /dev/stdin once it runs as another account.
    const passwordFile = join(passwordDir, 'password');
    writeFileSync(passwordFile, `${password}\n`, { mode: 0o600 });
    give(place, passwordFile);
    give(place, passwordDir);
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

function give({ account }: ClusterPlace, path: string): void {
  if (account) chownSync(path, account.uid, account.gid);
}
