import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Every user can enter it, and it survives a reboot, unlike /tmp on many systems. */
const PUBLIC_DIR = '/var/tmp';

/** Returns the folder that replaces `path`, which the server's user can't reach. `claimFolder` creates it. */
export function relocatedFolder(kind: 'bin' | 'data', path: string): string {
  return join(PUBLIC_DIR, `uprez-postgres-${kind}-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`);
}

/** Creates a folder in the public folder. Throws when another user than root created it and controls its content. */
export function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { uid, mode } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || uid !== 0) throw new Error(`${folder} belongs to uid ${uid}. Remove it.`);
  if ((mode & 0o777) !== 0o755) chmodSync(folder, 0o755);
}

/** Copies the binaries of the server to a folder where every user can execute them. Later starts use the copy. */
export function relocateBinaries(native: string, onStep: (message: string) => void): string {
  const folder = relocatedFolder('bin', native);
  claimFolder(folder);
  const target = join(folder, 'native');
  if (!existsSync(target)) {
    onStep(`copying PostgreSQL to ${folder}, because its user can't read this checkout`);
    const draft = join(folder, `draft-${process.pid}`);
    rmSync(draft, { recursive: true, force: true });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    makeReadable(draft);
    if (existsSync(target)) rmSync(draft, { recursive: true });
    else renameSync(draft, target);
  }
  return target;
}

/** Lets every user read a copy that a strict umask restricts. */
function makeReadable(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeReadable(join(path, name));
}
