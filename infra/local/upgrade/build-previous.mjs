import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { acquireLock } from '../lock.mjs';
import { capture, rootDir } from '../run.mjs';

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
    await runShell(folder, 'git -C "$ROOT" archive "$COMMIT" | tar --extract', { ROOT: rootDir, COMMIT: commit });
    const { devEngines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const pnpm = `npx --yes pnpm@${devEngines.packageManager.version}`;
    await runShell(folder, `${pnpm} install --frozen-lockfile --prefer-offline`);
    // Its types were checked when it was current.
    await runShell(folder, `node_modules/.bin/tsc --build --noCheck ${services.join(' ')}`);
    writeFileSync(stamp, commit);
    return folder;
  } finally {
    release();
  }
}

async function runShell(folder, script, env = {}) {
  const { code, output } = await capture('bash', ['-c', `set -eo pipefail; cd "$FOLDER"; ${script}`], {
    FOLDER: folder,
    ...env,
  });
  if (code !== 0) throw new Error(`${script} failed in ${folder}:\n${output.slice(-2_000)}`);
}
