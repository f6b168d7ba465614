import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The account the server runs as; PostgreSQL refuses to run as root. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

/**
 * As root: the owner of `existingData`, else `postgres`, else `nobody`. Otherwise undefined: the server runs as the caller.
 */
export function findServerAccount(existingData: string | undefined): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existingData) {
    const { uid, gid } = statSync(existingData);
    if (uid !== 0) return { uid, gid };
  }
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const entry = accounts.find(([name]) => name === 'postgres') ?? accounts.find(([name]) => name === 'nobody');
  if (!entry) throw new Error('running as root, and there is neither a postgres nor a nobody user: set DATABASE_URL');
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Tells, by trying it in a child that gave up root, whether the account can enter (folder) or execute (file) every path. */
export function canReach(account: ServerAccount, paths: string[]): boolean {
  const script = `process.setgroups([]);process.setgid(${account.gid});process.setuid(${account.uid});
    for (const path of ${JSON.stringify(paths)}) require('fs').accessSync(path, 1)`;
  return spawnSync(process.execPath, ['-e', script], { cwd: '/', stdio: 'ignore' }).status === 0;
}
