import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootDir } from '../run.mjs';
import { listImports } from './list-imports.mjs';

/** The folder of a workspace that holds the test files of each project, and the end of their names. */
const projects = {
  unit: { folder: 'src', end: '.test.ts' },
  integration: { folder: 'test', end: '.test.ts' },
  component: { folder: 'src', end: '.test.tsx' },
  browser: { folder: 'e2e', end: '.test.ts' },
};

/** Files that run the built services start them with one of these modules. */
const startsServices = /(start-([a-z]+-)?product|spawn-service)\b/;

/**
 * Finds the test files that contain one of `patterns` in their path (all without a pattern), by project, but none of `left`.
 * @returns {Partial<Record<keyof typeof projects, string[]>>} paths relative to the root; only projects with files
 */
export function selectTests(patterns, names = Object.keys(projects), left = []) {
  const selected = {};
  for (const project of names) {
    const { folder, end } = projects[project];
    const files = listWorkspaces().flatMap((workspace) => listFiles(join(workspace, folder)));
    const tests = files.filter((file) => file.endsWith(end) && matches(file, patterns) && !left.includes(file));
    if (tests.length > 0) selected[project] = tests;
  }
  return selected;
}

/**
 * Tells what the selected tests need built: nothing for unit tests, which run from source; the workspace and its
 * dependencies for integration tests; the gateway and its setup for component tests; everything where services are started.
 * @returns {string[] | 'all'} filters for turbo
 */
export function selectBuild({ integration = [], component = [], browser = [] }) {
  if (browser.length > 0) return 'all';
  const called = component.length > 0 ? ['@uprez/gateway...', '@uprez/dispatcher...'] : [];
  const workspaces = [...new Set(integration.map((file) => file.split('/').slice(0, 2).join('/')))];
  if (listImports(integration).some((file) => startsServices.test(read(file)))) return 'all';
  return [...called, ...workspaces.map((workspace) => `${JSON.parse(read(join(workspace, 'package.json'))).name}...`)];
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
