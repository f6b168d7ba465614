// npm run test:upgrade: builds the previous version, and runs it beside this one on one database while this one migrates. The
// last line is "N passed, N failed".
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from './lock.mjs';
import { main, rootDir, run } from './run.mjs';
import { extractCommit, installCommit, runShell } from './upgrade/extract-commit.mjs';
import { findPrevious } from './upgrade/find-previous.mjs';

const services = ['services/gateway', 'services/worker', 'services/dispatcher'];

/**
 * Builds the services of a commit in `.data/previous/COMMIT`, once. Older builds are removed.
 * @returns {Promise<string>} the folder
 */
async function buildPrevious(commit) {
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

await main(async () => {
  const { commit, reason } = await findPrevious();
  if (reason) {
    console.log(`skipped: ${reason}\n0 passed, 0 failed, 1 skipped`);
    return 0;
  }
  const start = performance.now();
  console.log(`building the previous version ${commit.slice(0, 12)}`);
  const folder = await buildPrevious(commit);
  console.log(`built after ${((performance.now() - start) / 1000).toFixed(0)} s`);
  return run('node', ['infra/local/test.mjs', 'previous-version'], { UPREZ_PREVIOUS_DIR: folder });
});
