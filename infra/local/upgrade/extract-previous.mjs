import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from '../run.mjs';
import { extractCommit, installCommit } from './extract-commit.mjs';

/** Extracts the sources of a commit, so that they can be run without a build. */
export async function extractPrevious(commit, folder) {
  await extractCommit(commit, folder);
  const workspaces = listWorkspaces(folder);
  if (!workspaces.every((workspace) => hasDependencies(folder, workspace))) return installCommit(folder);
  // Dependencies of this version, because an installation takes longer than the tests. Links to workspaces are relative, so
  // their copies lead to the extracted ones.
  for (const workspace of workspaces)
    cpSync(join(rootDir, workspace, 'node_modules'), join(folder, workspace, 'node_modules'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !/node_modules\/\.[^/]+$/.test(path),
    });
  symlinkSync(join(rootDir, 'node_modules/.pnpm'), join(folder, 'node_modules/.pnpm'));
}

/** Lists the folders of packages and services, and the root. */
const listWorkspaces = (folder) =>
  ['packages', 'services']
    .flatMap((group) => readdirSync(join(folder, group)).map((name) => join(group, name)))
    .concat('.')
    .filter((workspace) => listDependencies(folder, workspace).length > 0);

/** Whether this version has the dependencies of a workspace, in any version. */
const hasDependencies = (folder, workspace) =>
  listDependencies(folder, workspace).every((name) => existsSync(join(rootDir, workspace, 'node_modules', name)));

/** What the root of earlier versions has for its scripts, and no test imports. */
const programs = new Set(['tsx']);

/** Lists what sources import. Tests also import what the root has. */
function listDependencies(folder, workspace) {
  const file = join(folder, workspace, 'package.json');
  if (!existsSync(file)) return [];
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(file, 'utf8'));
  return Object.keys(workspace === '.' ? devDependencies : dependencies).filter((name) => !programs.has(name));
}
