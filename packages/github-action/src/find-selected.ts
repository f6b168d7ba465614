import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { isImage } from '@uprez/cli/find-images';
import { ActionError } from './action-error.ts';

const run = promisify(execFile);
// Containers often run as another user than the owner of the checkout.
const git = async (...args: string[]) =>
  (await run('git', ['-c', 'safe.directory=*', ...args], { maxBuffer: 256 * 1024 * 1024 })).stdout;
const succeeds = (...args: string[]) =>
  git(...args).then(
    () => true,
    () => false,
  );

type Selection = { patterns: readonly string[]; isChangedOnly: boolean; out: string; eventFile: string | undefined };

/** Lists the images that the step selects, relative to the repository. Results of earlier runs are excluded. */
export async function findSelected({ patterns, isChangedOnly, out, eventFile }: Selection): Promise<string[]> {
  const excluded = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  const included = patterns.filter((pattern) => !pattern.startsWith('!'));
  const folder = out.replace(/^\.\//, '').replace(/\/+$/, '');
  const paths = [
    ...(included.length > 0 ? included.map((pattern) => `:(glob)${pattern}`) : ['.']),
    ...[...excluded, ...(folder.includes(':') ? [] : [`${folder}/**`])].map((pattern) => `:(exclude,glob)${pattern}`),
  ];
  const list = isChangedOnly
    ? await git('diff', '--name-only', '-z', '--diff-filter=d', ...(await findRange(eventFile)), '--', ...paths)
    : await git('ls-files', '-z', '--', ...paths);
  return list.split('\0').filter(isImage);
}

type Event = { before?: string; pull_request?: { base?: { sha?: string } }; merge_group?: { base_sha?: string } };

/** Git's name of a commit without files. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** Returns the commits to compare: those of the event, or the last commit and its parent. */
async function findRange(eventFile: string | undefined): Promise<string[]> {
  const event = (eventFile ? JSON.parse(await readFile(eventFile, 'utf8')) : {}) as Event;
  const base = event.pull_request?.base?.sha ?? event.merge_group?.base_sha ?? event.before;
  // A new branch has no commit before. Its SHA consists of zeros.
  if (!base || /^0+$/.test(base)) return findParent();
  if (!/^[0-9a-f]{40,64}$/.test(base)) throw new ActionError('The event has no valid commit to compare with.');
  if (!(await succeeds('cat-file', '-e', `${base}^{commit}`)) && !(await fetchCommit(base)))
    throw new ActionError(`The commit ${base} isn't in this checkout. Set "fetch-depth: 0" of actions/checkout.`);
  // Changes of the base branch since the fork are excluded, if the checkout is deep enough.
  return (await succeeds('merge-base', base, 'HEAD')) ? [`${base}...HEAD`] : [base, 'HEAD'];
}

const fetchCommit = (sha: string) => succeeds('fetch', '--no-tags', '--depth=1', 'origin', sha);

async function findParent(): Promise<string[]> {
  if (await succeeds('rev-parse', '--verify', 'HEAD^')) return ['HEAD^', 'HEAD'];
  if ((await git('rev-parse', '--is-shallow-repository')).trim() === 'true')
    throw new ActionError(
      'The parent of this commit isn\'t in this checkout. Set "fetch-depth: 2" of actions/checkout.',
    );
  return [emptyTree, 'HEAD'];
}
