import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { rootDir } from '../run.mjs';
import { listImports } from './list-imports.mjs';

const sources = (...workspaces) => workspaces.map((workspace) => `${workspace}/src`);
const sdks = [
  'packages/sdk-contract',
  'packages/sdk-node',
  'packages/sdk-python',
  'packages/sdk-php',
  'packages/sdk-go',
];
const clients = ['packages/cli', 'packages/mcp', 'packages/github-action'];

/**
 * Slow tests of subjects that rarely change. They run when something that they depend on has changed since they passed: what
 * they import, and `inputs`, which they start or read. Both are folders or files.
 * @type {Record<string, { tests: string[], inputs: string[] }>}
 */
const suites = {
  engine: { tests: ['packages/imaging/test'], inputs: ['packages/imaging', ...sources('packages/models')] },
  models: { tests: ['packages/models/test'], inputs: ['packages/models'] },
  storage: { tests: ['packages/storage/test'], inputs: ['packages/storage'] },
  'guarded fetch': { tests: ['packages/guarded-fetch/test'], inputs: ['packages/guarded-fetch'] },
  'Stripe double': { tests: ['packages/local-stack/test/stripe'], inputs: ['packages/local-stack'] },
  // The public API that they call has tests of its own.
  SDKs: {
    tests: [...sdks, ...clients].map((workspace) => `${workspace}/test`),
    inputs: [
      ...[...sdks, ...clients, 'examples', '.github/workflows'],
      ...['services/gateway/src/v1', ...sources('packages/contracts')],
    ],
  },
  // They kill processes, fill disks, and stop databases of the whole product.
  failures: {
    tests: ['services/worker/test', 'packages/testing/test/kubernetes/read-only-root.test.ts'],
    inputs: ['packages', 'services', 'infra/backup', 'infra/kubernetes'],
  },
  manifests: {
    tests: ['kubernetes/pods', 'kubernetes/settings', 'kubernetes/validate-manifest', 'compose-settings'].map(
      (name) => `packages/testing/test/${name}.test.ts`,
    ),
    inputs: ['infra/docker', 'infra/kubernetes', 'infra/monitoring', 'infra/local/manifests', 'docker-compose.yml'],
  },
};

/** Tests that `npm test` doesn't run, as in `vitest.config.ts`: they need an external server or another version. */
const needsMore = /\/(?:external-s3|previous-version)\.test\.ts$/;

/** Every test depends on them. */
const common = ['pnpm-lock.yaml', 'vitest.config.ts', 'tsconfig.base.json'];
const stampsFile = join(rootDir, 'infra/local/tests/suites.json');

const isWithin = (file, places) => places.some((place) => file === place || file.startsWith(`${place}/`));

/** Lists the files of the checkout that Git doesn't ignore; undefined without Git. */
function listFiles() {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const names = execFileSync('git', args, { cwd: rootDir, maxBuffer: 2 ** 26, stdio: ['ignore', 'pipe', 'ignore'] });
    return names
      .toString()
      .split('\0')
      .filter((name) => name && existsSync(join(rootDir, name)));
  } catch {
    return undefined;
  }
}

/** Tests of others, which aren't inputs. */
const isTest = (file) => /\/(?:test|bench)\/|\.test\.tsx?$/.test(file);

/** @type {Map<string, string | Buffer>} */
const contents = new Map();
const printer = ts.createPrinter({ removeComments: true });

/** Reads what can change the result of a test: of code, everything but comments and format. */
function readContent(file) {
  const known = contents.get(file);
  if (known !== undefined) return known;
  const bytes = readFileSync(join(rootDir, file));
  const content = /\.(?:ts|tsx|mts|mjs)$/.test(file)
    ? printer.printFile(ts.createSourceFile(file, bytes.toString(), ts.ScriptTarget.Latest))
    : bytes;
  contents.set(file, content);
  return content;
}

/** A hash of the contents of everything that the tests of a suite depend on. */
function hashSuite({ tests, inputs }, files) {
  const own = files.filter(
    (file) => isWithin(file, tests) || (isWithin(file, [...inputs, ...common]) && !isTest(file)),
  );
  const hash = createHash('sha256').update(JSON.stringify([process.version, tests, inputs]));
  for (const file of [...new Set([...own, ...listImports(own.filter((file) => isWithin(file, tests)))])].toSorted())
    hash.update(`\0${file}\0`).update(readContent(file));
  return hash.digest('hex');
}

/**
 * Reads the state of all suites before a run.
 * @returns {{ name: string, tests: string[], hash: string, isUnchanged: boolean }[]} `tests`: files; empty without Git, where
 *   all tests run
 */
export function readSuites() {
  const files = listFiles() ?? [];
  if (files.length === 0) return [];
  const stamps = readStamps();
  return Object.entries(suites).map(([name, suite]) => {
    const hash = hashSuite(suite, files);
    const isOwn = (file) => file.endsWith('.test.ts') && !needsMore.test(file) && isWithin(file, suite.tests);
    const tests = files.filter(isOwn);
    return { name, tests, hash, isUnchanged: stamps[name] === hash };
  });
}

/** Records the suites whose tests have all passed, without one that was skipped. They are part of the next commit. */
export function recordSuites(read, files) {
  const passed = new Set(files.filter(({ isPassed }) => isPassed).map(({ name }) => name));
  const stamps = readStamps();
  const next = { ...stamps };
  for (const { name, tests, hash } of read)
    if (tests.length > 0 && tests.every((file) => passed.has(file))) next[name] = hash;
  const known = Object.fromEntries(Object.entries(next).filter(([name]) => name in suites));
  if (JSON.stringify(known) !== JSON.stringify(stamps))
    writeFileSync(stampsFile, `${JSON.stringify(known, null, 2)}\n`);
}

const readStamps = () => (existsSync(stampsFile) ? JSON.parse(readFileSync(stampsFile, 'utf8')) : {});
