import { capture } from '../run.mjs';

const migrations = 'packages/db/src/migrations/';

/**
 * Finds the version that runs while this one migrates: the commit in PREVIOUS_VERSION, or the newest release (a tag `v*`) before
 * this commit, or the commit before the newest migration.
 * @returns {Promise<{ commit: string } | { reason: string }>} why there is none, such as a shallow clone
 */
export async function findPrevious() {
  const named = process.env.PREVIOUS_VERSION;
  if (named) return resolve(named);
  if ((await git('rev-parse', '--is-shallow-repository')) !== 'false')
    return { reason: 'this checkout has no history (a shallow clone, or no clone): git fetch --unshallow' };
  const tag = await git('describe', '--tags', '--abbrev=0', '--match=v*', 'HEAD~1');
  if (tag) return resolve(tag);
  const newest = await git('log', '--diff-filter=A', '--format=%H', '--max-count=1', '--', migrations);
  return resolve(`${newest}~1`);
}

async function resolve(name) {
  const commit = await git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  return commit ? { commit } : { reason: `there is no commit ${name}` };
}

/** Runs git. Returns its output, or an empty text if it fails. */
async function git(...args) {
  const { code, output } = await capture('git', args);
  return code === 0 ? output.trim() : '';
}
