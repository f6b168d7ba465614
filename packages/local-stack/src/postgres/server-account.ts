import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

/** The user that runs the server: PostgreSQL refuses to run as root. */
export interface ServerAccount {
  uid: number;
  gid: number;
}

/**
 * Returns the owner of `existingData`, else `postgres`, else `nobody`. Returns undefined unless the current user is root:
 * the server then runs as the current user.
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
  if (!entry)
    throw new Error("PostgreSQL can't run as root, and there is no postgres or nobody user. Set DATABASE_URL.");
  return { uid: Number(entry[2]), gid: Number(entry[3]) };
}

/** Tells whether a user can enter (folder) or execute (file) every path. Tries it in a child process of that user. */
export function canReach(account: ServerAccount, paths: string[]): boolean {
  const script = `process.setgroups([]);process.setgid(${account.gid});process.setuid(${account.uid});
    for (const path of ${JSON.stringify(paths)}) require('fs').accessSync(path, 1)`;
  return spawnSync(process.execPath, ['-e', script], { cwd: '/', stdio: 'ignore' }).status === 0;
}
