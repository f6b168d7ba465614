import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findBinaries } from './find-binaries.ts';
import { claimFolder, relocateBinaries, relocatedFolder } from './relocate.ts';
import { canReach, findServerAccount, type ServerAccount } from './server-account.ts';

/** Where a cluster lives and who runs it. */
export interface ClusterPlace {
  /** Folder with bin, lib and share. */
  native: string;
  dataDir: string;
  account: ServerAccount | undefined;
}

/**
 * Decides where the cluster asked for at `wantedDir` lives. Run as root from a tree that the server's account cannot
 * read (a checkout below a 0700 folder), binaries and data move below /var/tmp, to names derived from their paths.
 * Throws, naming the fix, when existing data cannot be used by whoever runs this.
 */
export function placeCluster(wantedDir: string, onStep: (message: string) => void): ClusterPlace {
  const wanted = resolve(wantedDir);
  const moved = join(relocatedFolder('data', wanted), 'data');
  const native = findBinaries();
  const existing = [wanted, moved].find((dir) => existsSync(dir));
  const account = findServerAccount(existing);
  mkdirSync(dirname(wanted), { recursive: true });
  if (!account) return { native, dataDir: ownData(wanted), account };

  const place = { native, dataDir: wanted, account };
  if (!canReach(account, [join(native, 'bin/postgres'), join(native, 'share')])) {
    place.native = relocateBinaries(native, onStep);
  }
  if (existing === moved || !canReach(account, [dirname(wanted)])) {
    if (existing === wanted)
      throw new Error(`${wanted} is unreadable for uid ${account.uid}: open its parents (chmod o+x)`);
    claimFolder(dirname(moved));
    place.dataDir = moved;
  }
  return place;
}

function ownData(dataDir: string): string {
  if (existsSync(dataDir)) {
    const { uid } = statSync(dataDir);
    if (uid !== process.getuid?.()) {
      throw new Error(
        `the PostgreSQL data in ${dataDir} belong to uid ${uid}: start as root as before, or set DATA_DIR`,
      );
    }
  }
  return dataDir;
}
