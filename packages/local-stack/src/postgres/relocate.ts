import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Survives a reboot, unlike /tmp on many systems, and every account may enter it. */
const PUBLIC_DIR = '/var/tmp';

/** The folder that stands in for `path`, which the server's account cannot reach. Created by `claimFolder`. */
export function relocatedFolder(kind: 'bin' | 'data', path: string): string {
  return join(PUBLIC_DIR, `uprez-postgres-${kind}-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`);
}

/** Creates a folder in the public folder, or throws when someone else than root made it: its content could be planted. */
export function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { uid, mode } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || uid !== 0) throw new Error(`${folder} belongs to uid ${uid}: remove it`);
  if ((mode & 0o777) !== 0o755) chmodSync(folder, 0o755);
}

/** Copies the server's binaries where every account can execute them; the copy is kept for later starts. */
export function relocateBinaries(native: string, onStep: (message: string) => void): string {
  const folder = relocatedFolder('bin', native);
  claimFolder(folder);
  const target = join(folder, 'native');
  if (!existsSync(target)) {
    onStep(`copying PostgreSQL to ${folder}: its account cannot read this checkout`);
    const draft = join(folder, `draft-${process.pid}`);
    rmSync(draft, { recursive: true, force: true });
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    openToAll(draft);
    if (existsSync(target)) rmSync(draft, { recursive: true });
    else renameSync(draft, target);
  }
  return target;
}

/** Undoes a strict umask: copied modes may lack the bits for other accounts. */
function openToAll(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) openToAll(join(path, name));
}
