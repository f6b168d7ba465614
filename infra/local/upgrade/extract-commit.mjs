import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { capture, rootDir } from '../run.mjs';

/** Writes the files of a commit below the given paths (default: all) to an existing folder. */
export const extractCommit = (commit, folder, paths = []) =>
  runShell(folder, `git -C "$ROOT" archive "$COMMIT" ${paths.join(' ')} | tar --extract`, {
    ROOT: rootDir,
    COMMIT: commit,
  });

/** Installs the dependencies of an extracted commit, with its own version of pnpm. */
export async function installCommit(folder) {
  const { devEngines } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const pnpm = `npx --yes pnpm@${devEngines.packageManager.version}`;
  await runShell(folder, `${pnpm} install --frozen-lockfile --prefer-offline`);
}

/** Runs a script of the shell in a folder. Throws Error with the end of its output when it fails. */
export async function runShell(folder, script, env = {}) {
  const { code, output } = await capture('bash', ['-c', `set -eo pipefail; cd "$FOLDER"; ${script}`], {
    FOLDER: folder,
    ...env,
  });
  if (code !== 0) throw new Error(`${script} failed in ${folder}:\n${output.slice(-2_000)}`);
}
