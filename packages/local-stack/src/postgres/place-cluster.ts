import { existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findBinaries } from './find-binaries.ts';
import { claimFolder, relocateBinaries, relocatedFolder } from './relocate.ts';
import { canReach, findServerAccount, type ServerAccount } from './server-account.ts';

/** The folders of a cluster and the user that runs it. */
export interface ClusterPlace {
  /** The folder of bin, lib, and share. */
  native: string;
  dataDir: string;
  account: ServerAccount | undefined;
}

/**
 * Chooses the folders of a cluster. If root starts it from a folder that the server's user can't read, such as a checkout
 * below a 0700 folder, binaries and data are placed below /var/tmp, under names derived from their paths. Throws when the
 * current user can't use the existing data.
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
