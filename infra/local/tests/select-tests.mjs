import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rootDir } from '../run.mjs';

/** The folder of a workspace that holds the test files of each project. */
const folders = { unit: 'src', integration: 'test', browser: 'e2e' };

/** Files that run the built services start them with one of these modules. */
const startsServices = /(start-([a-z]+-)?product|spawn-service)\b/;

/**
 * Finds the test files that contain one of `patterns` in their path (all without a pattern), by project.
 * @returns {Partial<Record<keyof typeof folders, string[]>>} paths relative to the root; only projects with files
 */
export function selectTests(patterns, projects = Object.keys(folders)) {
  const selected = {};
  for (const project of projects) {
    const files = listWorkspaces().flatMap((workspace) => listFiles(join(workspace, folders[project])));
    const tests = files.filter((file) => file.endsWith('.test.ts') && matches(file, patterns));
    if (tests.length > 0) selected[project] = tests;
  }
  return selected;
}

/**
 * Tells what the selected tests need built: nothing for unit tests, which run from source; the workspace and its
 * dependencies for integration tests; everything where services are started.
 * @returns {string[] | 'all'} filters for turbo
 */
export function selectBuild({ integration = [], browser = [] }) {
  if (browser.length > 0) return 'all';
  const workspaces = [...new Set(integration.map((file) => file.split('/').slice(0, 2).join('/')))];
  if (listImports(integration).some((file) => startsServices.test(read(file)))) return 'all';
  return workspaces.map((workspace) => `${JSON.parse(read(join(workspace, 'package.json'))).name}...`);
}

/** Lists `files` and everything that they import by a relative path, directly or not. */
function listImports(files) {
  const found = new Set(files);
  // A set's iterator also visits what is added meanwhile.
  for (const file of found) {
    for (const [, path] of read(file).matchAll(/ from '(\.[^']+\.ts)'/g)) found.add(join(dirname(file), path));
  }
  return [...found];
}

function listWorkspaces() {
  return ['apps', 'services', 'packages'].flatMap((group) =>
    readdirSync(join(rootDir, group)).map((name) => join(group, name)),
  );
}

function listFiles(folder) {
  if (!existsSync(join(rootDir, folder))) return [];
  return readdirSync(join(rootDir, folder), { recursive: true }).map((name) => join(folder, name));
}

const matches = (file, patterns) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern));
const read = (file) => readFileSync(join(rootDir, file), 'utf8');
