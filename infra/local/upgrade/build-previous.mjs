import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../lock.mjs';
import { rootDir } from '../run.mjs';
import { extractCommit, installCommit, runShell } from './extract-commit.mjs';

const services = ['services/gateway', 'services/worker', 'services/dispatcher'];

/**
 * Builds the services of a commit in `.data/previous/COMMIT`, once. Older builds are removed.
 * @returns {Promise<string>} the folder
 */
export async function buildPrevious(commit) {
  const parent = join(rootDir, '.data/previous');
  const folder = join(parent, commit.slice(0, 12));
  const stamp = join(folder, '.built');
  if (existsSync(stamp)) return folder;
  const { holder, release } = acquireLock(join(rootDir, '.data/previous.lock'));
  if (holder) throw new Error(`process ${holder} builds the previous version`);
  try {
    rmSync(parent, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    await extractCommit(commit, folder);
    await installCommit(folder);
    // Its types were checked when it was current.
    await runShell(folder, `node_modules/.bin/tsc --build --noCheck ${services.join(' ')}`);
    writeFileSync(stamp, commit);
    return folder;
  } finally {
    release();
  }
}
